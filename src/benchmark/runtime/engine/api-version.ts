import type { Passport } from '../../../shared/model/passport.ts';

/** The newest minor version that Whalemark can read; Docker 25 has it, and Docker 29 no older one. */
const KNOWN = 44;

export type ApiVersions = Pick<Passport['runtime'], 'apiVersion' | 'minApiVersion'>;

interface Told {
  ApiVersion?: string | null | undefined;
  MinAPIVersion?: string | null | undefined;
}

export function apiVersionsOf({ ApiVersion, MinAPIVersion }: Told): ApiVersions {
  const oldest = MinAPIVersion ?? '';
  return {
    apiVersion: ApiVersion ?? '',
    ...((minorOf(oldest) ?? 0) > KNOWN ? { minApiVersion: oldest } : {}),
  };
}

/** Undefined for the engine's newest version. */
export function spokenApi({ apiVersion, minApiVersion = '' }: ApiVersions): string | undefined {
  const newest = minorOf(apiVersion);
  return newest === undefined ? undefined : `v1.${minorOf(minApiVersion) ?? Math.min(newest, KNOWN)}`;
}

function minorOf(version: string): number | undefined {
  const [, minor] = /^1\.(\d+)$/.exec(version) ?? [];
  return minor === undefined ? undefined : Number(minor);
}
