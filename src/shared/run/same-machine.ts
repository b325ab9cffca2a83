import type { Passport } from '../model/passport.ts';

/** Memory is told a little differently after each start of some systems. */
const MEMORY_TOLERANCE = 0.01;

type Field = [name: string, read: (passport: Passport) => string | number | boolean];

/** What an update changes: a run can continue, though no round with numbers from both sides. */
const VERSIONS: ((passport: Passport) => string)[] = [
  ({ runtime }) => runtime.name,
  ({ runtime }) => runtime.engineVersion,
  ({ runtime }) => runtime.operatingSystem,
  ({ runtime }) => runtime.kernel,
  ({ host }) => host.release,
];

/** What numbers of one run must have in common, in the words that a user is told it in. */
const FIELDS: Field[] = [
  ['processor', ({ host }) => host.cpuModel],
  ['number of processors', ({ host }) => host.cpus],
  ['architecture', ({ host }) => host.architecture],
  ['operating system', ({ host }) => host.platform],
  ['runtime', ({ runtime }) => runtime.kind],
  ['engine’s architecture', ({ runtime }) => runtime.architecture],
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

/** The versions that differ, each as before and after an update; none where nothing was updated. */
export function versionChanges(before: Passport, now: Passport): { was: string; is: string }[] {
  const changes: { was: string; is: string }[] = [];
  for (const read of VERSIONS) {
    const [was, is] = [read(before), read(now)];
    // Names hold versions, and an engine without a machine of its own has the host's kernel.
    const isKnown = changes.some((one) => one.was.includes(was) && one.is.includes(is));
    if (was !== is && !isKnown) changes.push({ was, is });
  }
  return changes;
}

function place({ vm, rootless, remote }: Passport['runtime']): string {
  const where = remote ? 'on another machine' : vm ? 'in a virtual machine' : 'on this machine';
  return rootless ? `${where}, rootless` : where;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
