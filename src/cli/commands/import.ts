import { createReadStream } from 'node:fs';
import { errnoOf } from '../../benchmark/files/failures.ts';
import { alignedTable } from '../../benchmark/report/text.ts';
import { messageOf } from '../../shared/errors.ts';
import { formatCount, formatDuration, formatLatency, formatRate, NO_VALUE } from '../../shared/units.ts';
import { EXIT } from '../exit-codes.ts';
import { print, printJson } from '../text/terminal.ts';
import type { JsonOption } from './results.ts';
import { readSysbench, type SysbenchRun, unreadable } from './sysbench-text.ts';

/** A day of interval lines is smaller. */
const MOST_MIB = 64;
const WHY_NOT: Record<string, string> = { ENOENT: 'the file doesn’t exist', EISDIR: 'it is a folder' };

export async function importOutput(source: string, { json }: JsonOption): Promise<number> {
  const runs = readSysbench(await textOf(source === '-' ? process.stdin : createReadStream(source)));
  if (json) printJson({ runs });
  else print(tableOf(runs));
  return EXIT.done;
}

async function textOf(stream: AsyncIterable<Buffer | string>): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of stream) {
      size += part.length;
      if (size > MOST_MIB * 2 ** 20) break;
      parts.push(Buffer.from(part));
    }
  } catch (cause) {
    throw unreadable(WHY_NOT[errnoOf(cause) ?? ''] ?? messageOf(cause), cause);
  }
  if (size > MOST_MIB * 2 ** 20) throw unreadable(`it is larger than ${MOST_MIB} MiB`);
  const bytes = Buffer.concat(parts);
  // Windows PowerShell writes UTF-16 with a byte-order mark.
  return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes);
}

const orNone = (value: number | null, format: (value: number) => string): string =>
  value === null ? NO_VALUE : format(value);
const COLUMNS: [string, (run: SysbenchRun) => string][] = [
  ['Threads', ({ threads }) => orNone(threads, formatCount)],
  ['TPS', ({ tps }) => formatRate(tps)],
  ['QPS', ({ qps }) => formatRate(qps)],
  ['Mean', ({ latencyUs }) => formatLatency(latencyUs.avg)],
  [
    'Percentile',
    ({ latencyUs: { percentile: p } }) => (p === null ? NO_VALUE : `p${p.rank}: ${formatLatency(p.value)}`),
  ],
  ['Max', ({ latencyUs }) => formatLatency(latencyUs.max)],
  ['Ignored errors', ({ ignoredErrors }) => orNone(ignoredErrors, formatCount)],
  ['Reconnects', ({ reconnects }) => orNone(reconnects, formatCount)],
  ['Time', ({ seconds }) => orNone(seconds, (value) => formatDuration(1000 * value))],
  ['sysbench', ({ versionText }) => versionText ?? NO_VALUE],
];

function tableOf(runs: readonly SysbenchRun[]): string {
  const names = runs.map(({ workload }, index) => `${index + 1}. ${workload ?? 'run'}`);
  const rows = runs.map((run, index) => [names[index] ?? '', ...COLUMNS.map(([, read]) => read(run))]);
  const table = alignedTable([['Run', ...COLUMNS.map(([name]) => name)], ...rows]);
  const notes = runs.flatMap((run, index) => run.notes.map(({ text }) => `${names[index]}: ${text}`));
  return [...table, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}
