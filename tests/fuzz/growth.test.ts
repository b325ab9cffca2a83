import { describe, expect, it } from 'vitest';
import { Cleaner } from '../../src/benchmark/privacy/cleaner.ts';
import { Redactor } from '../../src/benchmark/privacy/redactor.ts';
import { withoutUrlPasswords } from '../../src/shared/errors.ts';
import { LineSplitter } from '../../src/benchmark/runtime/engine/multiplex.ts';
import { fileSystemOf } from '../../src/benchmark/servers/storage/mount-info.ts';
import { idFromName } from '../../src/renderer/wizard/preset-text.ts';
import { readDraft } from '../../src/renderer/wizard/draft.ts';
import { cpuMs, referenceMs } from '../helpers/references.ts';
import { readJournalText } from './support/journal-adapter.ts';

/**
 * Texts that no process with a limit of time reads: four times the text takes about four times as long,
 * whatever is in it. Too much memory ends the process.
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
      // A refusal counts as read.
    }
  };
}

const readers = {
  wizard: quietly(readDraft),
  journal: quietly(readJournalText),
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
};

/** Texts are searched for these: addresses, passwords, paths, names. */
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
  ['wizard', 'k#: {storage: tmpfs}\n', 15_000],
  ['journal', '\n', 500_000],
  ['journal', '{}\n', 500_000],
  ['mounts', ' - ', 500_000],
  ['mounts', '1 2 3 / /v - x\n', 500_000],
  ['name', '-a!', 100_000],
  ...(['redactor', 'cleaner', 'addresses'] as const).flatMap((reader) =>
    TOLD.map((piece): [keyof typeof readers, string, number] => [reader, piece, 100_000]),
  ),
  ['log', 'x', 2_000_000],
  ['log', '\n', 500_000],
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
      // The first reading compiles the code.
      await read(short);
      const before = await took(short);
      const after = await took(long);
      const most = Math.max(LEAST_REFERENCES * referenceMs(), MOST_TIMES * before);
      expect(after, `ms, ${before} for a quarter`).toBeLessThan(most);
    },
    600_000,
  );
});
