import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { HistoryStore } from '../../../../src/benchmark/store/history-store.ts';
import { DatasetRecords } from '../../../../src/benchmark/servers/dataset/dataset-records.ts';
import { RunStore } from '../../../../src/benchmark/store/run-store.ts';
import type { HistoryPage } from '../../../../src/shared/model/history-entry.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { headlineText } from '../../../../src/shared/words/wording.ts';
import { demoState, makeState } from '../../builders.ts';
import { storeResult } from '../../stored-result.ts';
import { newFolder } from '../../../helpers/folders.ts';

const OLD = '20260601-093000-a1b2';
const NEW = '20260602-093000-c3d4';

let home = '';
let runs: RunStore;
let history: HistoryStore;

beforeEach(async () => {
  home = newFolder();
  runs = new RunStore(home);
  history = new HistoryStore(home, runs);
  await saved(OLD);
  await saved(NEW, Date.UTC(2026, 5, 2));
});

const demo = demoState();
const saved = (runId: string, startedAt = demo.startedAt) => storeResult(home, { ...demo, runId, startedAt });

const ids = async (): Promise<string[]> => (await history.list()).map(({ runId }) => runId);

describe('the history', () => {
  it('lists runs, the latest first, each with its verdict, machine and servers', async () => {
    expect(await ids()).toEqual([NEW, OLD]);
    const [entry] = await history.list();
    if (entry === undefined) throw new Error('a run was expected');
    const t = createTranslator('en');
    expect(headlineText(entry, t)).toBe(headlineText(analyze(demo), t));
    expect(entry.machine.cpus).toBeGreaterThan(0);
    expect(entry.servers).toEqual([expect.stringContaining('mysql:8.4')]);
    expect(entry.annotations).toEqual({ title: null, note: '', shared: false });
  });

  it('says when its folder can’t be read, which is not an empty one', async () => {
    const elsewhere = newFolder();
    const listed = () => new HistoryStore(elsewhere, new RunStore(elsewhere)).list();
    expect(await listed()).toEqual([]);
    await writeFile(join(elsewhere, 'runs'), 'a file where the folder should be');
    await expect(listed()).rejects.toMatchObject({ code: 'DATA_FOLDER_UNREADABLE' });
    const records = new DatasetRecords(join(elsewhere, 'runs'));
    await expect(records.all()).rejects.toMatchObject({ code: 'DATA_FOLDER_UNREADABLE' });
  });

  it('does not list what has no result yet, nor delete it', async () => {
    const going = '20260604-093000-e5f6';
    await (await runs.startJournal(going, 'somebody')).close();
    expect(await ids()).not.toContain(going);
    await expect(history.remove(going)).rejects.toMatchObject({ code: 'RESULT_UNREADABLE' });
    await expect(stat(join(home, 'runs', going, 'journal.ndjson'))).resolves.toBeDefined();
  });

  it('keeps title and note beside the result, which stays byte for byte', async () => {
    const path = join(home, 'runs', OLD, 'result.json');
    const before = await readFile(path);
    await history.annotate(OLD, { title: 'Laptop' });
    await history.annotate(OLD, { note: 'On the train.\nTwice.' });
    const again = new HistoryStore(home, runs);
    expect((await again.list()).at(-1)?.annotations).toEqual({
      title: 'Laptop',
      note: 'On the train.\nTwice.',
      shared: false,
    });
    expect(await readFile(path)).toEqual(before);
    expect((await history.annotate(OLD, { title: null })).title).toBeNull();
  });

  it('lists a run with broken annotations, and overwrites none that can’t be read', async () => {
    const path = join(home, 'runs', OLD, 'annotations.json');
    for (const broken of ['', '{"note": 7', '{"format":"whalemark-annotations","version":1,"note":7}']) {
      await writeFile(path, broken);
      expect(await ids()).toEqual([NEW, OLD]);
      expect(await history.annotate(OLD, { note: 'mine' })).toMatchObject({ note: 'mine' });
      expect(await readFile(`${path}.broken`, 'utf8')).toBe(broken);
    }
    const newer = '{"format":"whalemark-annotations","version":2,"stars":5}';
    await writeFile(path, newer);
    await expect(history.annotate(OLD, { note: 'x' })).rejects.toMatchObject({ code: 'ANNOTATIONS_TOO_NEW' });
    expect(await readFile(path, 'utf8')).toBe(newer);
    await rm(path);
    await mkdir(path);
    await expect(history.annotate(OLD, { note: 'x' })).rejects.toMatchObject({
      code: 'DATA_FOLDER_UNREADABLE',
    });
  });

  it('deletes a result with everything beside it', async () => {
    await history.annotate(OLD, { note: 'mine' });
    await history.remove(OLD);
    expect(await history.has(OLD)).toBe(false);
    await expect(history.remove(OLD)).rejects.toMatchObject({ code: 'RESULT_UNREADABLE' });
    expect(await ids()).toEqual([NEW]);
    expect(await readdir(join(home, 'runs'))).toEqual([NEW]);
  });

  it('follows no id out of its folder', async () => {
    await writeFile(join(home, 'result.json'), '{}');
    const odd = ['a\\b', '/etc', '.hidden', 'x'.repeat(101), 'a\0b', '20260601-093000-A1B2'];
    for (const id of ['..', '../..', 'a/../..', '', '.', `${OLD}/..`, ...odd]) {
      await expect(runs.load(id)).rejects.toMatchObject({ code: 'RESULT_UNREADABLE' });
      expect(await history.has(id)).toBe(false);
      await expect(history.remove(id)).rejects.toMatchObject({ code: 'RESULT_UNREADABLE' });
      await expect(history.annotate(id, { note: 'x' })).rejects.toMatchObject({ code: 'RESULT_UNREADABLE' });
      await expect(history.folderOf(id)).rejects.toMatchObject({ code: 'RESULT_UNREADABLE' });
      await expect(history.keep(id, join(home, 'result.json'))).rejects.toMatchObject({
        code: 'RESULT_UNREADABLE',
      });
    }
    await expect(stat(join(home, 'result.json'))).resolves.toBeDefined();
  });

  it('keeps somebody else’s result as such, and never in place of one of ours', async () => {
    const theirs = '20260501-120000-beef';
    const state = makeState({ runId: theirs, rounds: 2 });
    const path = await storeResult(join(home, 'elsewhere'), state);
    await history.keep(theirs, path);
    expect(await runs.load(theirs)).toEqual(state);
    expect((await history.annotations(theirs)).shared).toBe(true);
    await history.keep(OLD, path);
    expect((await runs.load(OLD)).runId).toBe(OLD);
    expect((await history.annotations(OLD)).shared).toBe(false);
  });

  it('gives the newest runs first, a few at a time where they have to be read, and all that are cached at once', async () => {
    const state = makeState({ rounds: 1 });
    const many = Array.from(
      { length: 20 },
      (_, index) => `20250101-000000-${String(index).padStart(4, '0')}`,
    );
    for (const runId of many) await storeResult(home, { ...state, runId });
    const pages: string[][] = [];
    for (let before: string | null | undefined; before !== null;) {
      const page: HistoryPage = await history.page(before ?? null);
      pages.push(page.entries.map(({ runId }) => runId));
      before = page.next;
    }
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flat()).toEqual([NEW, OLD, ...many.reverse()]);
    const again = await history.page(null);
    expect(again.entries).toHaveLength(many.length + 2);
    expect(again.next).toBeNull();
  });
});
