import { msg } from '../../message.ts';
import type { SetupService } from '../../model/setup.ts';
import { mebibytesOf } from './amounts.ts';
import type { Notes } from './notes.ts';
import { entryOf, type Mapping, type Tree } from './tree.ts';

type Limits = SetupService['limits'];

/** µs; Docker's default. */
const CPU_PERIOD = 100_000;

export function limitsOf(service: Mapping, notes: Notes): Limits {
  const limits = entryOf(service, 'deploy', 'resources', 'limits');
  const memory = entryOf(limits, 'memory') ?? entryOf(service, 'mem_limit');
  return { cpus: cpusOf(service, entryOf(limits, 'cpus'), notes), memoryMiB: memoryOf(memory, notes) };
}

function memoryOf(tree: Tree | undefined, notes: Notes): number | null {
  const text = notes.text(tree);
  if (tree === undefined || text === undefined || /^(?:-1|0)$/.test(text)) return null;
  const size = mebibytesOf(text);
  if (size === undefined) notes.refuse(tree.at, msg('compose.size'));
  return size ?? null;
}

function cpusOf(service: Mapping, limit: Tree | undefined, notes: Notes): number | null {
  const tree = limit ?? entryOf(service, 'cpus');
  const cpus = numberOf(tree, notes);
  if (cpus !== undefined) return cpus > 0 ? cpus : null;
  const quota = numberOf(entryOf(service, 'cpu_quota'), notes);
  if (quota === undefined || quota <= 0) return null;
  const period = numberOf(entryOf(service, 'cpu_period'), notes) ?? 0;
  return quota / (period > 0 ? period : CPU_PERIOD);
}

/** Refuses what isn't one; cpu_quota may be "50ms". */
function numberOf(tree: Tree | undefined, notes: Notes): number | undefined {
  const text = notes.text(tree);
  if (tree === undefined || text === undefined || text === '') return undefined;
  const [, digits, unit] = /^(-?\d+(?:\.\d+)?|-?\.\d+)(us|ms|s)?$/.exec(text.trim()) ?? [];
  const number = Number(digits) * (unit === 's' ? 1e6 : unit === 'ms' ? 1000 : 1);
  if (Number.isFinite(number)) return number;
  notes.refuse(tree.at, msg('compose.number'));
  return undefined;
}
