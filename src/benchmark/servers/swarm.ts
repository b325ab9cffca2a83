import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { msg, type Message } from '../../shared/message.ts';
import type { Passport } from '../../shared/model/passport.ts';

export type ReadFile = (path: string) => Uint8Array | undefined;

export function machineFile(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Undefined if the kernel carries the mesh (IPVS), or that is unknown. Loads no module. Sources: Docker
 * documentation, "Use Swarm mode routing mesh"; proc(5), `/proc/config.gz`; modules.dep(5).
 */
export function routingMeshReason({ runtime, host }: Passport, read: ReadFile): Message | undefined {
  const here = host.platform === 'linux' && !runtime.vm && !runtime.remote && runtime.kernel === host.release;
  if (!here) return undefined;
  if (read('/proc/net/ip_vs') !== undefined) return undefined;
  const modules = `/lib/modules/${runtime.kernel}`;
  const builtIn = text(read(`${modules}/modules.builtin`));
  const loadable = text(read(`${modules}/modules.dep`));
  if (hasModule(builtIn) || hasModule(loadable)) return undefined;
  const found = configured(runtime.kernel, read);
  if (found === 'no') return msg('swarm.noIpvs');
  // Only a complete list proves that a module is missing.
  const isListed = builtIn !== undefined && loadable !== undefined;
  return isListed && found !== 'built-in' ? msg('swarm.ipvsMissing') : undefined;
}

function hasModule(list: string | undefined): boolean {
  return list !== undefined && /(^|\/)ip_vs\.ko(\.\w+)?(:|$)/m.test(list);
}

function configured(kernel: string, read: ReadFile): 'built-in' | 'module' | 'no' | undefined {
  const packed = read('/proc/config.gz');
  const config = packed === undefined ? text(read(`/boot/config-${kernel}`)) : text(gunzipSync(packed));
  if (config === undefined || !/^CONFIG_NET=y$/m.test(config)) return undefined;
  const value = /^CONFIG_IP_VS=([ym])$/m.exec(config)?.[1];
  if (value === undefined) return 'no';
  return value === 'y' ? 'built-in' : 'module';
}

function text(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
}
