import stringWidth from 'string-width';
import type { ImportedRun } from '../../shared/model/imported.ts';
import { formatCount, formatLatency, formatNumber, NO_VALUE } from '../../shared/words/units.ts';

const HEADER = [
  'run',
  'line',
  'sysbench',
  'workload',
  'threads',
  'TPS',
  'QPS',
  'percentile',
  'ignored errors',
  'windows',
];
/** Words to the left, figures to the right. */
const LEFT: ReadonlySet<string> = new Set(['sysbench', 'workload']);

/** Imported runs for a terminal: a line each, then what must be known before comparing them. */
export function renderImport(runs: ImportedRun[]): string {
  const lines = aligned([HEADER, ...runs.map(row)]);
  const notes = new Map<string, number[]>();
  for (const [index, run] of runs.entries()) {
    for (const { code, message } of run.notes) {
      const note = `${message} [${code}]`;
      notes.set(note, [...(notes.get(note) ?? []), index + 1]);
    }
  }
  const remarks = [...notes].map(([note, of]) => `${runsText(of, runs.length)}: ${note}`);
  return [...lines, ...(remarks.length === 0 ? [] : ['', ...remarks])].join('\n');
}

function row(run: ImportedRun, index: number): string[] {
  const { percentile } = run.latencyUs;
  return [
    String(index + 1),
    String(run.line),
    run.versionText ?? (run.version === null ? NO_VALUE : `${run.version}?`),
    run.workload ?? NO_VALUE,
    count(run.threads),
    rate(run.tps),
    rate(run.qps),
    percentile === null ? NO_VALUE : `p${percentile.rank} ${formatLatency(percentile.value)}`,
    count(run.ignoredErrors),
    count(run.windows.length),
  ];
}

/** With sysbench's own decimals, so that the reader finds the figure in the text. */
function rate(perSecond: number | null): string {
  return perSecond === null ? NO_VALUE : formatNumber(perSecond, 2);
}

function count(value: number | null): string {
  return value === null ? NO_VALUE : formatCount(value);
}

function runsText(numbers: number[], all: number): string {
  if (numbers.length === all && all > 1) return 'all runs';
  return `${numbers.length === 1 ? 'run' : 'runs'} ${numbers.join(', ')}`;
}

function aligned(rows: string[][]): string[] {
  const widths = HEADER.map((_, column) =>
    Math.max(...rows.map((cells) => stringWidth(cells[column] ?? ''))),
  );
  return rows.map((cells) =>
    cells
      .map((cell, column) => {
        const fill = ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)));
        return LEFT.has(HEADER[column] ?? '') ? cell + fill : fill + cell;
      })
      .join('  ')
      .trimEnd(),
  );
}
