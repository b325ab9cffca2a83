import { describe, expect, it } from 'vitest';
import { importSysbench } from '../../src/benchmark/import/sysbench-text.ts';
import { Cleaner } from '../../src/benchmark/privacy/cleaner.ts';
import { Redactor } from '../../src/benchmark/privacy/redactor.ts';
import { withoutUrlPasswords } from '../../src/shared/errors.ts';
import { parsePreset } from '../../src/benchmark/presets/preset-file.ts';
import { LineSplitter } from '../../src/benchmark/runtime/engine/multiplex.ts';
import { parseConfig } from '../../src/shared/options/option-file.ts';
import { parseDsn } from '../../src/benchmark/target/external-probe.ts';
import { fileSystemOf } from '../../src/benchmark/target/storage/mount-info.ts';
import { idFromName } from '../../src/renderer/wizard/preset-text.ts';
import { readDraft } from '../../src/renderer/wizard/draft.ts';
import { parseResult } from '../../src/benchmark/runs/result-file.ts';
import { changedText } from '../../src/shared/setup/patch/changed-text.ts';
import { CHANGES, FACTS } from '../unit/shared/setup/patch/patched.ts';
import { cpuMs, referenceMs } from '../helpers/references.ts';
import { readJournalText } from './support/journal-adapter.ts';
import { interpolated } from '../../src/shared/setup/compose/interpolate.ts';
import { variablesOf } from '../../src/shared/setup/compose/env-text.ts';
import { readProject } from '../unit/shared/setup/compose/compose-project.ts';

/**
 * Time grows with the text, whatever is in it: four times the text takes about four times as long. What takes too much memory
 * ends the process.
 */

const GROWTH = 4;
/** Twice as much as in proportion; the square would be 16. */
const MOST_TIMES = 8;
/** Less than this many times the reference work says nothing: a collection of garbage takes as long. */
const LEAST_REFERENCES = 10;

/** Reads a text and says nothing of how that went. */
function quietly(read: (text: string) => unknown): (text: string) => Promise<void> {
  return async (text) => {
    try {
      await read(text);
    } catch {
      // Refused.
    }
  };
}

function patched(text: string): void {
  for (const change of Object.values(CHANGES)) {
    changedText([{ file: 'compose.yaml', text }], 'db', change, FACTS);
  }
}

const readers = {
  preset: quietly((text) => parsePreset(`whalemark: 1\nx: ${text}`, 'mine')),
  presetLines: quietly((text) => parsePreset(text, 'mine')),
  wizard: quietly(readDraft),
  compose: quietly((text) => readProject({ 'compose.yaml': `services:\n${text}` })),
  composeValue: quietly((text) =>
    readProject({
      'compose.yaml': `services:\n  db:\n    image: mysql\n    volumes: ["${text}"]\n    command: "${text}"`,
    }),
  ),
  variables: quietly((text) => interpolated(text, () => 'x')),
  env: quietly((text) => variablesOf(text, () => undefined)),
  import: quietly(importSysbench),
  result: quietly((text) => parseResult(text, 'mine')),
  journal: quietly(readJournalText),
  config: quietly((text) => parseConfig(`[mysqld]\n${text}`, 'my.cnf')),
  dsn: quietly((text) => parseDsn(`mysql://${text}`)),
  mounts: quietly((text) => fileSystemOf(text, '/var/lib/mysql')),
  redactor: quietly(new Redactor([{ word: 'ada', kind: 'user' }], []).text),
  cleaner: quietly(
    new Cleaner({
      dataDir: '/home/ada/w',
      homeDirectory: '/home/ada',
      names: { user: 'ada', host: 'adas-box' },
    }).text,
  ),
  addresses: quietly(withoutUrlPasswords),
  name: quietly((text) => idFromName(text, 'x')),
  log: quietly((text) => {
    const splitter = new LineSplitter(() => undefined);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 4096) splitter.push('stdout', bytes.subarray(at, at + 4096));
  }),
  patch: quietly((text) => patched(`services:\n  db:\n    image: mysql\n${text}`)),
  patchedValue: quietly((text) =>
    patched(
      `services:\n  db:\n    image: mysql\n    volumes: ['./d:/var/lib/mysql', '${text}']\n    command: '${text}'\n`,
    ),
  ),
};

/** What texts are looked through for: addresses, passwords, paths, names. */
const TOLD = [
  'a.',
  ':',
  'a:',
  'f:',
  '-',
  '--',
  'a-',
  'a://',
  'a://b:',
  'mysql://a:',
  'mysql://a:@',
  'token ',
  "'/home/",
  '/home/ada/',
  '\\\\',
  'C:\\',
  '1.',
  'a@',
  '"',
  'password=',
];

/** Pieces that are repeated, and how long the shorter of both texts is. */
const PIECES: [keyof typeof readers, string, number][] = [
  ['preset', '[', 10_000],
  ['preset', '{a: ', 15_000],
  ['preset', '- ', 15_000],
  ['preset', '*a ', 15_000],
  ['preset', '"', 15_000],
  ['presetLines', 'a#: 1\n', 15_000],
  ['presetLines', '&a# b#: *a#\n', 15_000],
  ['presetLines', '  ', 15_000],
  ['wizard', 'k#: {storage: tmpfs}\n', 15_000],
  ['compose', '[', 15_000],
  ['compose', '  a#: {image: mysql, depends_on: [a0]}\n', 60_000],
  ['compose', '  a#: {image: mysql, extends: a1}\n', 60_000],
  ['compose', '  a#: &a# {<<: *a#}\n', 60_000],
  ['compose', '  a#: &a {environment: [a#]}\n  b#: *a\n', 60_000],
  ['composeValue', ':', 60_000],
  ['composeValue', '--a ', 60_000],
  ['composeValue', '../', 60_000],
  ['composeValue', '$a', 60_000],
  ['variables', '${a:-', 60_000],
  ['variables', '$a', 60_000],
  ['env', 'a="\n', 60_000],
  ['env', 'a#=$a\n', 60_000],
  ['import', '[ ', 1_000_000],
  ['import', '> ', 1_000_000],
  ['import', '\n', 1_000_000],
  ['import', 'a# | sysbench 1.0.20\n', 500_000],
  ['import', '[ #s ] thds: 4 tps: 1.00 ', 500_000],
  ['result', '[', 500_000],
  ['result', '{"a":', 500_000],
  ['result', '{"format":"whalemark-result",', 500_000],
  ['journal', '\n', 500_000],
  ['journal', '{}\n', 500_000],
  ['config', '[ ', 200_000],
  ['config', '"', 200_000],
  ['config', 'loose-', 200_000],
  ['config', 'a = # b\n', 100_000],
  ['dsn', 'a', 500_000],
  ['dsn', '%40', 500_000],
  ['dsn', '[', 500_000],
  ['mounts', ' - ', 500_000],
  ['mounts', '1 2 3 / /v - x\n', 500_000],
  ['name', '-a!', 100_000],
  ...(['redactor', 'cleaner', 'addresses'] as const).flatMap((reader) =>
    TOLD.map((piece): [keyof typeof readers, string, number] => [reader, piece, 100_000]),
  ),
  ['log', 'x', 2_000_000],
  ['log', '\n', 500_000],
  ['patch', '  a#: {image: mysql, environment: {A: x}}\n', 5_000],
  ['patch', '    a#: b\n', 15_000],
  ['patch', '    a#: &a {<<: *a}\n', 7_000],
  ['patch', '    # A_B\n', 15_000],
  ['patch', '    a#: {b: {c: {d: {e: {f: {g: {h: {i: {j: {k: {l: {m: {n: o}}}}}}}}}}}}}\n', 5_000],
  ['patch', '#', 15_000],
  ['patch', '    a#: [&a 1, *a, *a, *a]\n', 7_000],
  ['patch', '    a#: &a {<<: [*b, *b]}\n', 7_000],
  ['patchedValue', ' --a', 15_000],
  ['patchedValue', ' --log-bin', 15_000],
  ['patchedValue', '${', 15_000],
  ['patchedValue', ':', 15_000],
  ['patchedValue', '://', 15_000],
  ['patchedValue', '/', 15_000],
];

function textOf(piece: string, length: number): string {
  if (!piece.includes('#')) return piece.repeat(Math.ceil(length / piece.length));
  return Array.from({ length: Math.ceil(length / piece.length) }, (_, index) =>
    piece.replaceAll('#', String(index)),
  ).join('');
}

describe('reads in a time that the text explains', () => {
  it.each(PIECES)(
    '%s of %j',
    async (name, piece, length) => {
      const read = readers[name];
      const took = async (text: string): Promise<number> => {
        const began = cpuMs();
        await read(text);
        return cpuMs() - began;
      };
      const [short, long] = [textOf(piece, length), textOf(piece, GROWTH * length)];
      // Compiled by then.
      await read(short);
      const before = await took(short);
      const after = await took(long);
      const most = Math.max(LEAST_REFERENCES * referenceMs(), MOST_TIMES * before);
      expect(after, `ms, ${before} for a quarter`).toBeLessThan(most);
    },
    600_000,
  );
});
