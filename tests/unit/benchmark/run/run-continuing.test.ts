import { readJournal, reduceAll } from '../../../helpers/journals.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ownOwner } from '../../../../src/benchmark/owners/owner.ts';
import { claimOf, claimRun } from '../../../../src/benchmark/store/run-claim.ts';
import { RunStore } from '../../../../src/benchmark/store/run-store.ts';
import type { RunEvent } from '../../../../src/shared/model/events.ts';
import { makeEvents } from '../../builders.ts';
import { storeResult } from '../../stored-result.ts';
import { saying } from '../../../helpers/saying.ts';
import { newFolder } from '../../../helpers/folders.ts';

const RUN = '20260601-093000-a1b2';
const SHAPE = {
  scenarios: [{ storage: 'named-volume' as const, path: 'published-port' as const }],
  aaCheck: false,
  rounds: 2,
  durationSeconds: 1,
  runId: RUN,
};
const whole = makeEvents(SHAPE);
/** Up to the number of the first trial. */
const died = whole.slice(0, whole.findIndex(({ type }) => type === 'trial-finished') + 1);

let home: string;
let store: RunStore;
let directory: string;
const [machine] = ownOwner().split('.');
/** The owner label of a process of this machine that has certainly ended. */
const dead = `${machine}.${process.pid}.1`;

beforeEach(() => {
  home = newFolder();
  store = new RunStore(home);
  directory = join(home, 'runs', RUN);
});

/** A process of this machine that is not us, and lives until the test has ended. */
async function otherProcess(): Promise<{ owner: string; end(): Promise<void> }> {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const end = async (): Promise<void> => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  onTestFinished(end);
  await once(child, 'spawn');
  const start = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')[19] ?? '';
  return { owner: `${machine}.${child.pid}.${start}`, end };
}

/** A journal with these events, written by `owner`, who has let go of it. */
async function journalOf(events: RunEvent[], owner = dead, runId = RUN): Promise<void> {
  const journal = await store.startJournal(runId, owner);
  for (const event of events) await journal.append(event);
  await journal.close();
}

async function goOn(owner = ownOwner()) {
  const run = await store.goOn(RUN, owner);
  return {
    ...run,
    /** The process dies: the journal ends, the claim stays. */
    die: () => run.journal.close(),
    end: async () => {
      await run.journal.close();
      await run.release();
    },
  };
}

describe('going on with a run', () => {
  it('writes that it does, behind what was there, and has the earlier trials', async () => {
    await journalOf(died);
    const run = await goOn();
    expect(run.fold.state?.trials.map(({ status }) => status)).toEqual(['measured', 'pending']);
    expect(run.owners).toEqual([dead]);
    await run.end();
    expect(await readJournal(join(directory, 'journal.ndjson'))).toEqual({
      owner: ownOwner(),
      events: [...died, run.event],
      torn: false,
    });
    expect(await readdir(directory)).toEqual(['journal.ndjson']);
  });

  it('moves a torn end aside first, wherever it is torn', async () => {
    await journalOf(whole.slice(0, died.length + 1));
    const path = join(directory, 'journal.ndjson');
    const bytes = await readFile(path);
    const lastLine = bytes.lastIndexOf('\n', bytes.length - 2) + 1;
    for (let length = lastLine; length <= bytes.length; length += 37) {
      await writeFile(path, bytes.subarray(0, length));
      const run = await goOn();
      await run.end();
      const read = await readJournal(path);
      expect(read?.torn).toBe(false);
      expect(read?.events.at(-1)).toEqual(run.event);
    }
    await writeFile(path, '{"type":"trial-fin', { flag: 'a' });
    await (await goOn()).end();
    expect(await readFile(`${path}.broken`, 'utf8')).toMatch(/\{"type":"trial-fin$/);
  });

  it.each(['../..', 'a/b', '20260601-093000-a1b2\n'])('looks nowhere else: “%s” is no run', async (runId) => {
    await journalOf(died);
    await expect(store.goOn(runId, ownOwner())).rejects.toMatchObject({
      code: 'RUN_NOT_RESUMABLE',
      params: { reason: saying(/wasn’t measured here/) },
    });
  });

  it('needs the journal', async () => {
    await storeResult(home, reduceAll(died));
    await expect(goOn()).rejects.toMatchObject({
      params: { reason: saying(/not its run log/) },
    });
  });

  it('leaves all as it was when it is refused', async () => {
    await journalOf(died);
    await expect(
      store.goOn(RUN, ownOwner(), () => Promise.reject(new Error('another machine'))),
    ).rejects.toThrow('another machine');
    expect(await readJournal(join(directory, 'journal.ndjson'))).toMatchObject({ events: died });
    expect(await claimOf(directory)).toBe('none');
  });

  it('is done by one process at a time', async () => {
    await journalOf(died);
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => goOn()));
    const won = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(won.length).toBeLessThanOrEqual(1);
    for (const one of tries) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'RUN_NOT_RESUMABLE' });
    }
    for (const one of won) await one.end();
    await (await goOn()).end();
  });

  it('waits for nobody who is dead, and for everybody who lives', async () => {
    const other = await otherProcess();
    await journalOf(died, other.owner);
    await expect(goOn()).rejects.toMatchObject({
      params: { reason: saying(/still running/) },
    });
    await other.end();
    const claim = await claimRun(directory, dead);
    expect(claim).toBeDefined();
    await (await goOn()).end();
    expect(await claimOf(directory)).toBe('none');
  });

  describe('that another machine has measured at', () => {
    const ELSEWHERE = '0123456789ab-0123456789ab-4026531836.4242.1';
    const refused = {
      code: 'RUN_NOT_RESUMABLE',
      params: { reason: saying('another machine') },
    };
    const ended = (outcome: 'stopped' | 'failed'): RunEvent => ({
      ...{ type: 'run-finished', outcome, error: null },
      at: died.at(-1)?.at ?? 0,
    });

    it.each<[string, RunEvent[]]>([
      ['was stopped there', [...died, ended('stopped')]],
      ['failed there', [...died, ended('failed')]],
      ['was gone on with here', [...died, ended('failed'), continuedBy('here'), ended('stopped')]],
    ])('is refused when it %s, and left as it was', async (_, events) => {
      await journalOf(events, ELSEWHERE);
      await expect(goOn()).rejects.toMatchObject(refused);
      await expect(store.continuable(RUN)).rejects.toMatchObject(refused);
      expect(await readJournal(join(directory, 'journal.ndjson'))).toMatchObject({ events });
      expect(await readdir(directory)).toEqual(['journal.ndjson']);
    });

    it('is refused when it may be going on there, with the way out', async () => {
      await journalOf(died, ELSEWHERE);
      await expect(goOn()).rejects.toMatchObject({ code: 'RUN_LOCKED', params: { run: RUN } });
      expect(await readdir(directory)).toEqual(['journal.ndjson']);
      expect(await store.locked()).toMatchObject([{ runId: RUN, owner: ELSEWHERE }]);
    });

    it('is not held against a run of here that ended, nor against one whose label nobody can read', async () => {
      for (const owner of [dead, ownOwner(), (await otherProcess()).owner, 'machine.1.2']) {
        await journalOf([...died, ended('stopped')], owner);
        expect((await store.continuable(RUN)).runId).toBe(RUN);
        await (await goOn()).end();
        await rm(directory, { recursive: true });
      }
    });

    function continuedBy(owner: string): RunEvent {
      const at = died.at(-1)?.at ?? 0;
      return { type: 'run-continued', at, from: at, owner };
    }
  });
});

describe('recovery', () => {
  const stopped: RunEvent = { type: 'stop-requested', at: (died.at(-1)?.at ?? 0) + 1 };
  it.each<[string, RunEvent[], object]>([
    ['died', died, { outcome: 'failed', error: { code: 'CORE_LOST' } }],
    ['was being stopped: stop was pressed twice', [...died, stopped], { outcome: 'stopped', error: null }],
  ])('makes a result of a run that %s', async (_, events, result) => {
    await journalOf(events);
    expect(await store.recover()).toEqual([RUN]);
    expect(await store.load(RUN)).toMatchObject(result);
    expect(await store.recover()).toEqual([]);
  });

  it('makes it anew of a run that died once more when it had gone on', async () => {
    await journalOf(died);
    await store.recover();
    const run = await store.goOn(RUN, dead);
    const second = whole.slice(died.length, -1).map((event) => ({ ...event, at: run.event.at + 1 }));
    for (const event of second) await run.journal.append(event);
    await run.journal.close();
    expect(await claimOf(directory)).toBe('left');
    expect(await store.recover()).toEqual([RUN]);
    const state = await store.load(RUN);
    expect(state.trials.map(({ status }) => status)).toEqual(['measured', 'measured']);
    expect((await store.load(RUN)).pauses).toMatchObject([{ interrupted: true }]);
    expect(await claimOf(directory)).toBe('none');
    expect(await store.recover()).toEqual([]);
  });

  it('ends it without a claim, too, and only once', async () => {
    await journalOf(died);
    await store.recover();
    const run = await store.goOn(RUN, dead);
    await run.journal.close();
    await run.release();
    expect(await store.recover()).toEqual([RUN]);
    const journal = await readFile(join(directory, 'journal.ndjson'));
    await rm(join(directory, 'listed.json'));
    expect(await store.recover()).toEqual([]);
    expect(await readFile(join(directory, 'journal.ndjson'))).toEqual(journal);
    expect((await store.page(null)).runs).toHaveLength(1);
  });

  it('leaves alone what a living process goes on with', async () => {
    const other = await otherProcess();
    await journalOf(died);
    const run = await store.goOn(RUN, other.owner);
    expect(await store.recover()).toEqual([]);
    expect(await store.isGoingOn(RUN)).toBe(true);
    // The journal alone is enough.
    await run.release();
    expect(await store.recover()).toEqual([]);
    await run.journal.close();
    await other.end();
    expect(await store.recover()).toEqual([RUN]);
  });

  it('is kept from no run by one that is broken', async () => {
    await journalOf(died);
    await mkdir(join(home, 'runs', '20250101-000000-0000', 'journal.ndjson'), { recursive: true });
    await mkdir(join(home, 'runs', '20250102-000000-0000'), { recursive: true });
    await writeFile(join(home, 'runs', '20250102-000000-0000', 'journal.ndjson'), 'nonsense\n');
    await writeFile(join(home, 'runs', '20250103-000000-0000'), 'a file');
    expect(await store.recover()).toEqual([RUN]);
  });
});
