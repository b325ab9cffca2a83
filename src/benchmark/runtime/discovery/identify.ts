import * as z from 'zod';
import { ENGINES, RUNTIME_KINDS, type RuntimeKind } from '../../../shared/kinds/engines.ts';

/** `GET /version`; Podman omits parts. */
export const versionSchema = z.looseObject({
  Version: z.string().min(1),
  ApiVersion: z.string().nullish(),
  Os: z.string().nullish(),
  Platform: z.looseObject({ Name: z.string().nullish() }).nullish(),
  Components: z.array(z.looseObject({ Name: z.string(), Version: z.string().nullish() })).nullish(),
});
export type EngineVersion = z.infer<typeof versionSchema>;

/** `GET /info`; `Name` is a host name, only for telling engines apart. */
export const infoSchema = z.looseObject({
  ID: z.string().nullish(),
  Name: z.string().nullish(),
  OperatingSystem: z.string(),
  OSType: z.string().nullish(),
  KernelVersion: z.string(),
  Architecture: z.string(),
  NCPU: z.number().int(),
  MemTotal: z.number(),
  Driver: z.string(),
  DockerRootDir: z.string().nullish(),
  SecurityOptions: z.array(z.string()).nullish(),
});
export type EngineInfo = z.infer<typeof infoSchema>;

/** Kind, and name with version ("Docker Desktop 4.67.0"). */
export interface Identity {
  kind: RuntimeKind;
  name: string;
}

/**
 * By what the engine says, never by its socket's path, which any runtime may own. Rules as in ddev; Rancher Desktop's
 * machine is called `lima-rancher-desktop`, so it precedes Lima.
 */
export function identify(version: EngineVersion, info: EngineInfo): Identity {
  const system = info.OperatingSystem;
  const machine = info.Name ?? '';
  const platform = version.Platform?.Name ?? '';
  const components = version.Components ?? [];

  const podman = components.find(({ Name }) => Name.startsWith('Podman Engine'));
  if (podman !== undefined) return named('podman', 'Podman', podman.Version ?? version.Version);
  const kind = RUNTIME_KINDS.find((one) => ENGINES[one].isIt?.(system, machine));
  if (kind !== undefined) {
    const { name = kind } = ENGINES[kind];
    return named(kind, name, new RegExp(`^${name} (\\d\\S*)`).exec(platform)?.[1]);
  }
  if (hasSecurityOption(info, 'rootless')) {
    return { kind: 'docker-rootless', name: `Docker Engine ${version.Version} (rootless)` };
  }
  const isDocker = platform.startsWith('Docker Engine') || components.some(({ Name }) => Name === 'Engine');
  return named(
    isDocker ? 'docker-engine' : 'unknown',
    isDocker ? 'Docker Engine' : 'Engine',
    version.Version,
  );
}

/** Options look like `name=seccomp,profile=builtin`. */
export function hasSecurityOption(info: EngineInfo, name: string): boolean {
  return (info.SecurityOptions ?? []).some((option) => option.split(',').includes(`name=${name}`));
}

function named(kind: RuntimeKind, name: string, version?: string): Identity {
  return { kind, name: version === undefined ? name : `${name} ${version}` };
}
