import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BenchmarkError } from '../../../../src/shared/errors.ts';
import { OpenedResults } from '../../../../src/benchmark/store/opened-results.ts';
import { saying } from '../../../helpers/saying.ts';
import { newFolder } from '../../../helpers/folders.ts';

const FILE = 'tests/fixtures/results/sample-result.json';
const TEXT = readFileSync(FILE, 'utf8');

describe('results opened in a session', () => {
  let home: string;
  beforeEach(() => (home = newFolder()));
  const dropped = (): string[] => readdirSync(join(home, 'dropped'));

  it('from a file stay where they are', async () => {
    const opened = new OpenedResults(home);
    const { runId } = await opened.openFile(FILE);
    expect(opened.path(runId)).toBe(FILE);
    expect(opened.path('another')).toBeUndefined();
    opened.forget(runId);
    expect(opened.path(runId)).toBeUndefined();
  });

  it('from a text are a file until the next start', async () => {
    const opened = new OpenedResults(home);
    const { runId } = await opened.openText(TEXT, 'mine.whalemark');
    expect(readFileSync(opened.path(runId) ?? '', 'utf8')).toBe(TEXT);
    expect(dropped()).toHaveLength(1);
    await new OpenedResults(home).openText(TEXT, 'mine.whalemark');
    expect(dropped()).toHaveLength(1);
  });

  it('that are packed are no larger than memory allows, and no nonsense', async () => {
    const opened = new OpenedResults(home);
    const path = join(home, 'mine.json.gz');
    const refusal = async (bytes: Buffer): Promise<unknown> => {
      writeFileSync(path, bytes);
      return opened.openFile(path).then(
        () => 'read',
        (error: unknown) => (error as BenchmarkError).params['reason'],
      );
    };
    const packed = gzipSync(TEXT);
    expect(await refusal(packed)).toBe('read');
    expect(await refusal(packed.subarray(0, 500))).toEqual(saying('data is incomplete'));
    expect(await refusal(Buffer.from('nothing'))).toEqual(saying('Z_DATA_ERROR'));
    // A small file that would be 300 MiB.
    const mebibyte = gzipSync(Buffer.alloc(2 ** 20));
    expect(await refusal(Buffer.concat(Array<Buffer>(300).fill(mebibyte)))).toEqual(saying('256 MiB'));
  });

  it('that are none are refused by name, and leave nothing', async () => {
    const opened = new OpenedResults(home);
    await expect(opened.openText('{}', 'mine.json')).rejects.toThrow('mine.json isn’t a readable result');
    expect(dropped()).toEqual([]);
  });
});
