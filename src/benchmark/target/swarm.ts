import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { msg, type Message } from '../../shared/message.ts';
import type { Passport } from '../../shared/model/passport.ts';
import type { SwarmNode } from '../runtime/container-runtime.ts';

/** A client's node when any but the engine's own will do. */
export const ANY_OTHER_NODE = 'other';

/** The node a client goes to: the one of that host name, or the first that is not the engine's own. */
export function chooseNode(wanted: string, nodes: SwarmNode[], ownNodeId: string): SwarmNode | undefined {
  const usable = nodes.filter((node) => node.usable);
  return wanted === ANY_OTHER_NODE
    ? usable.find(({ id }) => id !== ownNodeId)
    : usable.find(({ hostName }) => hostName === wanted);
}

/** The content of a file; undefined when it is not there or can't be read. */
export type ReadFile = (path: string) => Uint8Array | undefined;

/** A file of this machine. */
export function machineFile(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Why the engine's kernel can't carry the routing mesh, or undefined when it can or nobody knows: it is made of IPVS
 * (Docker documentation, "Use Swarm mode routing mesh"). Only for an engine on the kernel of this very process; for
 * all others the connection check of the first trial tells. Only looks: loading the module to see would change the machine.
 *
 * Sources: proc(5), `/proc/config.gz`; kmod's modules.dep(5); the kernel's Kbuild documentation, `modules.builtin`.
 */
export function routingMeshReason({ runtime, host }: Passport, read: ReadFile): Message | undefined {
  const here = host.platform === 'linux' && !runtime.vm && !runtime.remote && runtime.kernel === host.release;
  if (!here) return undefined;
  if (read('/proc/net/ip_vs') !== undefined) return undefined;
  const modules = `/lib/modules/${runtime.kernel}`;
  const builtIn = text(read(`${modules}/modules.builtin`));
  const loadable = text(read(`${modules}/modules.dep`));
  if (hasModule(builtIn) || hasModule(loadable)) return undefined;
  switch (configured(runtime.kernel, read)) {
    case 'no':
      return msg('swarm.noIpvs');
    case 'built-in':
      return undefined;
    default:
      // In a container the machine's modules may be out of sight: only a whole list proves that one is missing.
      return builtIn !== undefined && loadable !== undefined ? msg('swarm.ipvsMissing') : undefined;
  }
}

function hasModule(list: string | undefined): boolean {
  // Compressed modules end in .ko.xz, .ko.zst or .ko.gz.
  return list !== undefined && /(^|\/)ip_vs\.ko(\.\w+)?(:|$)/m.test(list);
}

/** What the running kernel's configuration says of IPVS; undefined when it can't be seen. */
function configured(kernel: string, read: ReadFile): 'built-in' | 'module' | 'no' | undefined {
  const packed = read('/proc/config.gz');
  const config = packed === undefined ? text(read(`/boot/config-${kernel}`)) : text(gunzipSync(packed));
  // Half a configuration proves nothing.
  if (config === undefined || !/^CONFIG_NET=y$/m.test(config)) return undefined;
  const value = /^CONFIG_IP_VS=([ym])$/m.exec(config)?.[1];
  if (value === undefined) return 'no';
  return value === 'y' ? 'built-in' : 'module';
}

function text(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
}
