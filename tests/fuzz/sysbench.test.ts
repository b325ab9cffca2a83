import fc from 'fast-check';
import { expect } from 'vitest';
import { englishOf } from '../../src/shared/message.ts';
import { readSysbench } from '../../src/cli/commands/sysbench-text.ts';
import { sysbenchError } from '../../src/benchmark/load/sysbench/run.ts';
import { RunReader } from '../../src/benchmark/load/sysbench/figures.ts';
import { readRecord, RECORD_PREFIX } from '../../src/benchmark/load/sysbench/script.ts';
import { BenchmarkError } from '../../src/shared/errors.ts';
import { windowSchema } from '../../src/shared/model/measurements.ts';
import { buildSpec } from '../unit/benchmark/load/sysbench/fixtures.ts';
import { fuzz } from './support/fuzz.ts';
import { written } from './support/odd.ts';
import { acceptedOrRefused, type Refusal } from './support/refusal.ts';
import { loadGeneratorTexts, sysbenchTexts } from './support/sysbench-texts.ts';
import { textMutants } from './support/text-mutants.ts';
import { valueMutants } from './support/value-mutants.ts';

const PIECES = [
  '[ 1s ] thds: 4 tps: 1.00',
  'transactions: 1 (1.00 per sec.)\n',
  'sysbench 1.0.20\n',
  'SQL statistics:\n',
  'Latency (ms):\n',
  'client_1  | ',
  '> ',
  '\r[ 2s ] progress',
  'FATAL: error 2013: Lost connection\n',
];

/** A line, or that nothing is there. */
const refusal: Refusal = {
  codes: ['IMPORT_UNREADABLE'],
  namesPlace: ({ params }) => /\bline \d+\b|the text is empty/.test(englishOf(params['reason'] ?? '')),
};

fuzz({
  name: 'import',
  isApart: true,
  cases: textMutants(sysbenchTexts, PIECES),
  judge: (text) =>
    acceptedOrRefused(() => {
      const runs = readSysbench(text);
      // Infinity is written as null.
      expect(JSON.parse(JSON.stringify(runs))).toEqual(runs);
    }, refusal),
});

const records = loadGeneratorTexts.flatMap((text) =>
  text
    .split('\n')
    .flatMap((line) => (line.startsWith(RECORD_PREFIX) ? [line.slice(RECORD_PREFIX.length)] : [])),
);

/** Whatever is on sysbench's stdout, windows and totals stay what their schemas say, or the trial fails with a code. */
fuzz({
  name: 'sysbench-output',
  cases: fc.oneof(
    textMutants(loadGeneratorTexts, [
      RECORD_PREFIX,
      `\n${RECORD_PREFIX}{"type":"total"}`,
      'FATAL: error 1213: x\n',
      'FATAL: mysql_drv_query() returned error 1146 (x) for query',
    ]),
    fc
      .tuple(
        fc.nat(loadGeneratorTexts.length - 1),
        fc.nat(),
        valueMutants(records.map((one) => JSON.parse(one) as unknown)),
      )
      .map(([index, at, record]) => {
        const lines = (loadGeneratorTexts[index] ?? '').split('\n');
        lines[at % lines.length] = RECORD_PREFIX + written(record);
        return lines.join('\n');
      }),
  ),
  judge: (text) => {
    const spec = buildSpec();
    const reader = new RunReader({ phase: 'measure', seconds: 3 }, spec.connections, {
      connected: () => undefined,
      window: (window) => void windowSchema.parse(window),
    });
    const lines: string[] = [];
    for (const line of text.split('\n')) {
      const record = readRecord(line);
      if (record === undefined) lines.push(line);
      else reader.add(record);
    }
    if (reader.figures() !== undefined) return 'accepted';
    expect(sysbenchError({ lines: lines.slice(-40), status: 1 }, spec)).toBeInstanceOf(BenchmarkError);
    return 'refused';
  },
});
