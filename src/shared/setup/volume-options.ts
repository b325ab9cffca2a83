import { driverOptions, type NfsSpec } from '../kinds/storage-options.ts';
import { msg, type Message } from '../message.ts';
import type { StorageSpec } from '../model/server-spec.ts';
import type { SetupService } from '../model/setup.ts';
import { optionProblem } from '../preset/mount-options.ts';
import { mebibytesOf } from './compose/amounts.ts';

interface OptionsStorage extends Pick<SetupService['storage'], 'kind' | 'spec'> {
  /** Of a volume that is a folder of the host. */
  folder?: string;
  /** Why `spec` is null. */
  refusal?: Message;
}

/** Of Docker's own volume driver. Source: Docker documentation, "docker volume create", driver-specific options. */
export function storageOfOptions({
  type = '',
  device = '',
  o,
}: Partial<Record<'type' | 'device' | 'o', string>>): OptionsStorage {
  if (type === 'tmpfs') return { kind: 'tmpfs', spec: tmpfsSpec(sizeIn(o ?? '')) };
  if (/(?:^|,)r?bind(?:,|$)/.test(o ?? '')) {
    return { kind: 'bind-mount', spec: { kind: 'bind-mount' }, folder: device };
  }
  const spec = specOf({ type, device, ...(o === undefined ? {} : { o }) });
  const refusal = refusalOf(spec, o ?? '');
  return refusal === undefined ? { kind: spec.kind, spec } : { kind: spec.kind, spec: null, refusal };
}

export function tmpfsSpec(sizeMiB: number | undefined): StorageSpec {
  return sizeMiB === undefined
    ? { kind: 'tmpfs' }
    : { kind: 'tmpfs', sizeMiB: Math.max(1, Math.round(sizeMiB)) };
}

/** MiB, of options of a tmpfs. */
export function sizeIn(options: string): number | undefined {
  const size = /(?:^|,)size=([^,]+)/.exec(options)?.[1];
  return size === undefined ? undefined : mebibytesOf(size);
}

function refusalOf(spec: StorageSpec, o: string): Message | undefined {
  // Credentials of a share don't go into presets and results.
  const hasLogin = /(?:^|,)(?:user|username|pass|password|cred|credentials|dom|domain)=/i.test(o);
  if (hasLogin) return msg('compose.shareLogin');
  const problem = optionProblem(spec);
  return problem === undefined ? undefined : msg(problem.code, problem.params);
}

function specOf(options: { type: string; device: string; o?: string }): StorageSpec {
  const nfs = nfsOf(options);
  return nfs === undefined ? { kind: 'volume-options', options } : { kind: 'nfs', nfs };
}

/** Undefined: not NFS, or with options that only driver options can say. */
function nfsOf({ type, device, o = '' }: { type: string; device: string; o?: string }): NfsSpec | undefined {
  const [, path] = /^:(\/.*)$/s.exec(device) ?? [];
  if (!/^nfs4?$/.test(type) || path === undefined) return undefined;
  const given = o.split(',').filter((one) => one !== '');
  const value = (key: string): string | undefined =>
    given.find((one) => one.startsWith(`${key}=`))?.slice(key.length + 1);
  const version = (['3', '4', '4.0', '4.1', '4.2'] as const).find(
    (one) => one === (value('nfsvers') ?? value('vers')),
  );
  const address = value('addr');
  if (version === undefined || address === undefined) return undefined;
  const nfs = { address, path, version, soft: given.includes('soft'), lock: !given.includes('nolock') };
  const same = new Set((driverOptions({ nfs })['o'] ?? '').split(','));
  const plain = given.map((one) => one.replace(/^vers=/, 'nfsvers='));
  return plain.every((one) => same.has(one)) ? nfs : undefined;
}
