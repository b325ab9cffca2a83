import { describe, expect, it } from 'vitest';
import { removeLeftovers } from '../../../../src/benchmark/run/leftovers.ts';
import { RunStore } from '../../../../src/benchmark/store/run-store.ts';
import { continueSession } from '../../../../src/benchmark/run/session.ts';
import { createLabels, OWNER_LABEL } from '../../../../src/benchmark/runtime/labels.ts';
import { sweepLeftovers } from '../../../../src/benchmark/runtime/sweep.ts';
import type { PreparedStorage } from '../../../../src/benchmark/servers/storage/prepared-storage.ts';
import { prepareVolumeOptions } from '../../../../src/benchmark/servers/storage/volume-options.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { makeEvents } from '../../builders.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { deadOwner } from '../../../helpers/owners.ts';
import { newFolder } from '../../../helpers/folders.ts';

const RUN = '20260601-093000-a1b2';
const NAME = `whalemark-${RUN}-s1`;
const dead = deadOwner();

const labels = {
  ...createLabels({ runId: RUN, appVersion: '0', role: 'storage' }),
  [OWNER_LABEL]: dead,
};

/** The disk of a run of an ended process: `has` tells whether Whalemark's directory is on it. */
class Disk {
  has = false;
  /** Output of `rm`. */
  complaint = '';
  storage: PreparedStorage | undefined;

  constructor(readonly runtime = new FakeRuntime()) {
    runtime.onExec = ([program = '']) => {
      if (program === 'mkdir') this.has = true;
      const isRefused = program === 'rm' && this.why() !== '';
      if (program === 'rm' && !isRefused) this.has = false;
      return { exitCode: isRefused ? 1 : 0, stdout: '', stderr: isRefused ? this.why() : '' };
    };
  }

  /** NFS keeps files that a server still has open. */
  private why(): string {
    const servers = [...this.runtime.containersMade.values()].filter(({ spec }) => spec.name === 'server');
    return servers.some(({ running }) => running) ? 'Directory not empty' : this.complaint;
  }

  async prepare(): Promise<string> {
    const { runtime } = this;
    this.storage = await prepareVolumeOptions(
      {
        kind: 'nfs',
        nfs: { address: 'nas', path: '/x', version: '4.2', soft: false, lock: true },
      },
      {
        ...{ runtime, name: NAME, image: 'sha256:server', labels, bindRoot: '/nowhere', datadirBytes: 1e9 },
        mark: { owner: dead, runId: RUN },
      },
    );
    return this.storage.holder ?? '';
  }

  names(): string[] {
    return [...this.runtime.containersMade.values()].map(({ spec }) => spec.name);
  }

  /** Resources that are still there, and the directory on the disk. */
  left(): string[] {
    return [...this.names(), ...this.runtime.volumesMade.keys(), ...(this.has ? ['the directory'] : [])];
  }
}

describe('a directory of ours on a disk of the user’s', () => {
  it.each<[string, (disk: Disk, holder: string) => Promise<void> | void]>([
    [
      'though the container that holds the disk has stopped',
      ({ runtime }, holder) => runtime.exit(holder, 137),
    ],
    [
      'after the server that still writes there',
      async ({ runtime: { containers } }) =>
        containers.start(await containers.create({ name: 'server', image: 'x', labels })),
    ],
  ])('goes with its dead run %s', async (_, arrange) => {
    const disk = new Disk();
    await arrange(disk, await disk.prepare());
    expect((await removeLeftovers(disk.runtime, '/nowhere', '0')).failed).toEqual([]);
    expect(disk.left()).toEqual([]);
  });

  it.each([false, true])(
    'keeps its container and volume, and is told, while it can’t go (stopped: %s)',
    async (isStopped) => {
      const disk = new Disk();
      const holder = await disk.prepare();
      if (isStopped) {
        disk.runtime.exit(holder, 137);
        disk.runtime.failing.set(
          `startContainer ${holder}`,
          new BenchmarkError('ENGINE_REFUSED', { action: 'start a container', reason: 'no such device' }),
        );
      } else {
        disk.complaint = 'no such device';
      }
      for (let start = 0; start < 2; start++) {
        const { removed, failed } = await removeLeftovers(disk.runtime, '/nowhere', '0');
        expect(removed).toEqual([]);
        expect(failed).toMatchObject([{ name: `${NAME}-holder`, error: { code: 'STORAGE_REFUSED' } }]);
        expect(failed[0]?.error.message).toMatch(/-s1 couldn’t be deleted there: no such device\. /);
        expect(disk.left()).toEqual([`${NAME}-holder`, NAME, 'the directory']);
        expect(disk.runtime.containersMade.get(holder)?.running).toBe(false);
      }

      disk.complaint = '';
      disk.runtime.failing.clear();
      expect((await removeLeftovers(disk.runtime, '/nowhere', '0')).failed).toEqual([]);
      expect(disk.left()).toEqual([]);
    },
  );

  it('is still remembered when it could not go at the end of its run', async () => {
    const disk = new Disk();
    await disk.prepare();
    disk.complaint = 'Stale file handle';
    await expect(disk.storage?.dispose()).rejects.toMatchObject({ code: 'STORAGE_REFUSED' });
    expect(disk.left()).toEqual([`${NAME}-holder`, NAME, 'the directory']);
    disk.complaint = '';
    await sweepLeftovers(disk.runtime);
    expect(disk.left()).toEqual([]);
  });

  it('that was never made keeps nothing: a container that has not started goes without being started', async () => {
    const disk = new Disk();
    const holder = await disk.prepare();
    const container = disk.runtime.containersMade.get(holder);
    if (container === undefined) throw new Error('no holder');
    Object.assign(container, { running: false, startedAt: '0001-01-01T00:00:00Z' });
    disk.runtime.calls.length = 0;
    expect((await sweepLeftovers(disk.runtime)).failed).toEqual([]);
    expect(disk.runtime.calls.filter((call) => /^(start|exec)/.test(call))).toEqual([]);
    expect(disk.runtime.containersMade.size + disk.runtime.volumesMade.size).toBe(0);
  });

  it.each(['', 'Stale file handle'])('goes when its run goes on, or is told (%j)', async (complaint) => {
    const home = newFolder();
    const events = makeEvents({
      scenarios: [{ storage: 'named-volume', path: 'published-port' }],
      ...{ aaCheck: false, rounds: 2, durationSeconds: 1, runId: RUN },
    });
    const [first] = events;
    if (first?.type !== 'run-started') throw new Error('no first event');
    const disk = new Disk(new FakeRuntime(first.plan.engines[0].passport));
    disk.complaint = complaint;
    await disk.prepare();
    for (const { image } of first.plan.configs) {
      if (image.imageId !== null) disk.runtime.addImage(image.used, { id: image.imageId });
    }
    const journal = await new RunStore(home).startJournal(RUN, dead);
    // The run's first round.
    const measured = events.findIndex(({ type }) => type === 'trial-finished');
    for (const event of events.slice(0, measured + 1)) await journal.append(event);
    await journal.close();
    const messages: string[] = [];
    const session = await continueSession(
      RUN,
      { engines: [disk.runtime] },
      {
        ...{ dataDir: home, appVersion: first.appVersion, clientFile: '/nowhere' },
        ...{ clientImageFiles: {}, datasetDir: null },
      },
      (event) => {
        if (event.type === 'notice') messages.push(event.notice.message.text);
      },
    );
    // A fake server never answers; what counts has happened by then.
    session.stop();
    await session.done;
    expect(disk.has).toBe(complaint !== '');
    expect(disk.names().includes(`${NAME}-holder`)).toBe(complaint !== '');
    expect(messages.filter((text) => text.includes(NAME)).length).toBe(complaint === '' ? 0 : 1);
  });
});
