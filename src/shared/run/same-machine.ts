import type { Passport } from '../model/passport.ts';

/** Memory is told a little differently after each start of some systems. */
const MEMORY_TOLERANCE = 0.01;

type Field = [name: string, read: (passport: Passport) => string | number | boolean];

/** What numbers of one run must have in common, in the words that a user is told it in. */
const FIELDS: Field[] = [
  ['processor', ({ host }) => host.cpuModel],
  ['number of processors', ({ host }) => host.cpus],
  ['architecture', ({ host }) => host.architecture],
  ['operating system', ({ host }) => `${host.platform} ${host.release}`],
  ['runtime', ({ runtime }) => runtime.name],
  ['engine', ({ runtime }) => runtime.engineVersion],
  ['engine’s system', ({ runtime }) => runtime.operatingSystem],
  ['engine’s kernel', ({ runtime }) => `${runtime.kernel} ${runtime.architecture}`],
  ['engine’s number of processors', ({ runtime }) => runtime.cpus],
  ['storage driver', ({ runtime }) => runtime.storageDriver],
  ['file sharing', ({ runtime }) => runtime.fileSharing],
  ['place of the engine', ({ runtime }) => place(runtime)],
];

const MEMORY: [name: string, read: (passport: Passport) => number][] = [
  ['memory', ({ host }) => host.memoryBytes],
  ['engine’s memory', ({ runtime }) => runtime.memoryBytes],
];

/**
 * In what a machine and its engine differ from what a run was measured on, in English; undefined when its numbers may
 * stand beside new ones. Names and ids are in no passport, so two machines of the very same make are told apart
 * by the owners that their run's journal names (`RunStore`).
 */
export function machineDifference(before: Passport, now: Passport): string | undefined {
  for (const [name, read] of FIELDS) {
    const [was, is] = [read(before), read(now)];
    if (was !== is) return `the ${name} was ${was} then and is ${is} now`;
  }
  for (const [name, read] of MEMORY) {
    const [was, is] = [read(before), read(now)];
    if (Math.abs(was - is) > MEMORY_TOLERANCE * Math.max(was, is)) {
      return `the ${name} was ${mebibytes(was)} then and is ${mebibytes(is)} now`;
    }
  }
  return undefined;
}

function place({ vm, rootless, remote }: Passport['runtime']): string {
  const where = remote ? 'on another machine' : vm ? 'in a virtual machine' : 'on this machine';
  return rootless ? `${where}, rootless` : where;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
