import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readResultHere } from '../../../../src/benchmark/store/stored-result.ts';
import { RunStore } from '../../../../src/benchmark/store/run-store.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { makeEvents, makeState } from '../../builders.ts';
import { sharedFolder } from '../../../helpers/folders.ts';
import { saying } from '../../../helpers/saying.ts';

const home = sharedFolder();
const store = new RunStore(home);
const state = makeState({ rounds: 2 });
const { runId } = state;

/** Writes a run's journal and its row in the history, as its process does at the end. */
async function measure(into: RunStore, rounds: number): Promise<void> {
  const { journal, release } = await into.start(runId, 'nobody');
  for (const event of makeEvents({ rounds })) await journal.append(event);
  await journal.close();
  await into.list(makeState({ rounds }));
  await release();
}

beforeAll(() => measure(store, 2));

const listedPath = (): string => join(dirname(store.journalPath(runId)), 'listed.json');

describe('runs on disk', () => {
  it.skipIf(process.platform === 'win32')(
    'are their user’s alone, also in a folder that all can read',
    async () => {
      const shared = await mkdtemp(join(home, 'shared-'));
      await chmod(shared, 0o755);
      const there = new RunStore(shared);
      const folder = dirname(there.journalPath(runId));
      await mkdir(folder, { recursive: true, mode: 0o755 });
      const { journal } = await there.start(runId, 'nobody');
      await journal.close();
      await there.list(state);
      const files = await readdir(folder);
      const modes = await Promise.all(
        files.map(async (name) => (await stat(join(folder, name))).mode & 0o777),
      );
      expect(files.length).toBeGreaterThanOrEqual(3);
      expect(new Set(modes)).toEqual(new Set([0o600]));
    },
  );

  it('come back whole', async () => {
    expect(await store.load(runId)).toEqual(state);
  });

  it('are listed without reading the journal again', async () => {
    const path = store.journalPath(runId);
    await utimes(path, 1_780_000_000, 1_780_000_000);
    await store.list(state);
    const text = await readFile(path);
    // Another text of the same size and time: reading it fails.
    await writeFile(path, Buffer.alloc(text.length, ' '));
    await utimes(path, 1_780_000_000, 1_780_000_000);
    expect(await store.recent(5)).toMatchObject([
      {
        ...{ runId, name: state.plan.preset.name, headline: analyze(state).headline },
        // The A/A check isn’t a separate scenario.
        scenarios: state.plan.scenarios.length - 1,
      },
    ]);
    await writeFile(path, text);
  });

  it('are read anew when the row was made from another file, is broken, or is gone', async () => {
    const elsewhere = new RunStore(await mkdtemp(join(home, 'other-')));
    await measure(elsewhere, 1);
    await writeFile(store.journalPath(runId), await readFile(elsewhere.journalPath(runId)));
    const [expected] = await elsewhere.recent(1);
    expect(await store.recent(5)).toEqual([expected]);
    await writeFile(listedPath(), 'nonsense\n');
    expect(await store.recent(5)).toEqual([expected]);
    await rm(listedPath());
    // Reading takes CPU, which a measurement would feel.
    store.isMeasuring = () => true;
    expect(await store.recent(5)).toEqual([]);
    store.isMeasuring = () => false;
    expect(await store.recent(5)).toEqual([expected]);
    expect(await readdir(dirname(listedPath()))).toContain('listed.json');
  });
});

describe('files that are no results', () => {
  const NO_FILE = 'isn’t a regular file';
  const refused = (reason: string) => ({ code: 'RESULT_UNREADABLE', params: { reason: saying(reason) } });

  it('a folder, a device and a pipe are not read', async () => {
    await expect(readResultHere(home, 'x')).rejects.toMatchObject(refused(NO_FILE));
    if (process.platform === 'win32') return;
    const endless = join(home, 'endless.json');
    await symlink('/dev/zero', endless);
    await expect(readResultHere(endless, 'x')).rejects.toMatchObject(refused(NO_FILE));
    const pipe = join(home, 'pipe.whalemark');
    execFileSync('mkfifo', [pipe]);
    await expect(readResultHere(pipe, 'x')).rejects.toMatchObject(refused(NO_FILE));
  });

  it.each([
    [2 ** 28 + 1, '256 MiB'],
    [2 ** 31 + 1, '2048 MiB'],
  ])('one that is far too large is not read: %d bytes', async (bytes, most) => {
    const path = join(home, 'large.whalemark');
    await writeFile(path, '{\n');
    // A hole: it takes no room.
    await truncate(path, bytes);
    await expect(readResultHere(path, 'x')).rejects.toMatchObject(refused(most));
    await rm(path);
  });
});
