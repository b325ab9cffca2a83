import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeAnnotations, readAnnotations } from '../../../src/benchmark/store/history-store.ts';
import { draftOf, isDraftOf } from '../../../src/benchmark/files/replace-file.ts';
import { claimRun } from '../../../src/benchmark/store/run-claim.ts';
import { RunStore } from '../../../src/benchmark/store/run-store.ts';
import { ownOwner } from '../../../src/benchmark/owners/owner.ts';
import { NO_ANNOTATIONS } from '../../../src/shared/model/history-entry.ts';
import { makeEvents } from '../builders.ts';
import { deadOwner } from '../../helpers/owners.ts';
import { newFolder } from '../../helpers/folders.ts';

let home = '';
beforeEach(() => (home = newFolder()));

describe('two who write the same file at the same time', () => {
  it('never leave half of one, nor anything beside it', async () => {
    const path = join(home, 'annotations.json');
    const notes = Array.from({ length: 40 }, (_, index) => String(index % 10).repeat(1 + index * 50));
    let writing = true;
    const seen: string[] = [];
    const reading = (async () => {
      while (writing) seen.push((await readAnnotations(path)).note);
    })();
    await Promise.all(notes.map((note) => changeAnnotations(path, () => ({ ...NO_ANNOTATIONS, note }))));
    writing = false;
    await reading;
    const known = new Set(['', ...notes]);
    expect(seen.filter((note) => !known.has(note))).toEqual([]);
    expect(notes).toContain((await readAnnotations(path)).note);
    expect(await readdir(home)).toEqual(['annotations.json']);
  });

  it('know their drafts by name', () => {
    expect(draftOf('/a/listed.json')).not.toBe(draftOf('/a/listed.json'));
    expect(isDraftOf(draftOf('listed.json'), 'listed.json')).toBe(true);
    expect(isDraftOf('listed.json', 'listed.json')).toBe(false);
    expect(isDraftOf('listed.json.my-notes.tmp', 'listed.json')).toBe(false);
  });
});

describe('the journal of a process that is gone', () => {
  const events = makeEvents({ rounds: 2 });
  const [begun] = events;
  const runId = begun?.type === 'run-started' ? begun.runId : '';
  const orphan = async (count = events.length): Promise<RunStore> => {
    const store = new RunStore(home);
    const journal = await store.startJournal(runId, deadOwner());
    for (const event of events.slice(0, count)) await journal.append(event);
    await journal.close();
    return store;
  };
  const folder = (): string => join(home, 'runs', runId);

  it('is ended by two starts at once, and nothing half done stays', async () => {
    const store = await orphan(events.length - 1);
    writeFileSync(join(folder(), 'listed.json.0a1b2c3d.tmp'), 'half of a row');
    const both = await Promise.all([store.recover(), new RunStore(home).recover()]);
    expect(both.flat()).toContain(runId);
    expect((await store.load(runId)).error?.code).toBe('CORE_LOST');
    expect((await readdir(folder())).sort()).toEqual(['journal.ndjson', 'listed.json']);
  });

  it.each([
    ['a process', ownOwner()],
    ['one of another machine', 'another.1.2'],
  ])('is left to %s that has the run in hand', async (_, owner) => {
    const store = await orphan(events.length - 1);
    const held = await claimRun(folder(), owner);
    expect(await store.recover()).toEqual([]);
    await held?.release();
    expect(await store.recover()).toEqual([runId]);
  });
});
