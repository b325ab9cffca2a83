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
    expect((await opened.view(runId))?.runId).toBe(runId);
    expect(await opened.view('another')).toBeUndefined();
  });

  it('are shown, exported and kept however many are opened after them, and few of them fill the memory', async () => {
    const opened = new OpenedResults(home);
    const first = await opened.openFile(FILE);
    for (let more = 0; more < 5; more++) {
      const path = join(home, `${more}.json`);
      writeFileSync(path, TEXT.replaceAll(first.runId, `another-${more}`));
      await opened.openFile(path);
    }
    // Made again of the file: the first one had to go.
    const again = await opened.view(first.runId);
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
    const last = await opened.view('another-4');
    expect(await opened.view('another-4')).toBe(last);
    opened.forget(first.runId);
    expect(await opened.view(first.runId)).toBeUndefined();
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
    // 0.3 MB of these would have been 300 MB, and more than that is no trouble either.
    expect(await refusal(gzipSync(Buffer.alloc(300 * 2 ** 20)))).toEqual(saying('256 MiB'));
  });

  it('that are none are refused by name, and leave nothing', async () => {
    const opened = new OpenedResults(home);
    await expect(opened.openText('{}', 'mine.json')).rejects.toThrow('mine.json is not a readable result');
    expect(dropped()).toEqual([]);
  });
});
