import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RunContext } from '../../../../src/benchmark/context/context.ts';
import { checkEngine } from '../../../../src/benchmark/run/engine-checks.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { msg } from '../../../../src/shared/message.ts';
import { newFolder } from '../../../helpers/folders.ts';
import { makePassport, makePlan } from '../../builders.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

const scenario = (storage: 'named-volume' | 'bind-mount') => ({ storage, path: 'published-port' as const });
const BOTH = [scenario('named-volume'), scenario('bind-mount')];
const PLENTY = 10 ** 9;

describe('an engine', () => {
  let runtime: FakeRuntime;
  let bindRoot: string;
  /** Lets helper containers see so many free KiB, and end the look at the shared folder so. */
  const sees = (freeKiB: number, lookExit = 0): void => {
    runtime.onStart = ({ id, spec, log }) => {
      const isDisk = spec.entrypoint?.[0] === 'df';
      if (isDisk) log.push('Filesystem …', `overlay 1 1 ${freeKiB} 1% /`);
      runtime.exit(id, isDisk ? 0 : lookExit);
    };
  };
  const checking = (scenarios = BOTH) => {
    const context = {
      plan: makePlan({ scenarios }),
      runtime,
      bindRoot,
      runId: 'run-1',
      signal: new AbortController().signal,
    } as unknown as RunContext;
    return checkEngine(context, { runtime, name: 'whalemark-run-1', image: 'mysql:8.4', labels: {} });
  };
  beforeEach(() => {
    runtime = new FakeRuntime(makePassport({ vm: true }));
    bindRoot = newFolder();
  });

  it('in a virtual machine has room for the copies and shares the folder: nothing is said, and nothing is left', async () => {
    sees(PLENTY);
    expect(await checking()).toBeUndefined();
    expect(runtime.containersMade.size).toBe(0);
    expect(readdirSync(bindRoot)).toEqual([]);
  });

  it('in a virtual machine is refused without room for the copies', async () => {
    sees(1024);
    await expect(checking()).rejects.toMatchObject({
      code: 'DISK_TOO_SMALL',
      params: { free: '1 MiB', folder: msg('place.engineDisk') },
    });
  });

  it.each([
    [3, '', 'folder.notShared'],
    [4, '', 'folder.sharedReadOnly'],
    [0, 'invalid mount config for type "bind": bind source path does not exist: /x', 'folder.notShared'],
    [
      0,
      'Mounts denied: The path /x is not shared from the host and is not known to Docker.',
      'folder.notShared',
    ],
    [0, 'statfs /x: no such file or directory', 'folder.notShared'],
  ])(
    'can’t use a folder whose look ends with %i, or is refused (%s), and names why',
    async (end, reason, code) => {
      sees(PLENTY, end);
      const refused = new BenchmarkError('ENGINE_REFUSED', { action: 'x', reason });
      if (reason !== '') runtime.failing.set('createContainer whalemark-run-1-look-look', refused);
      expect(await checking()).toMatchObject({ code: 'BIND_REFUSED', params: { reason: { code } } });
      await expect(checking([scenario('bind-mount')])).rejects.toMatchObject({ code: 'BIND_REFUSED' });
      expect(readdirSync(bindRoot)).toEqual([]);
    },
  );

  it('isn’t asked for a folder that no server uses', async () => {
    sees(PLENTY, 3);
    expect(await checking([scenario('named-volume')])).toBeUndefined();
  });

  describe('on this machine', () => {
    beforeEach(() => void (runtime = new FakeRuntime()));

    it('isn’t asked for what this process sees, too', async () => {
      runtime.root = bindRoot;
      expect(await checking()).toBeUndefined();
      expect(runtime.calls).toEqual([]);
    });

    it('is asked for room on a disk that this process doesn’t see', async () => {
      runtime.root = join(bindRoot, 'elsewhere');
      sees(1024);
      await expect(checking()).rejects.toMatchObject({ code: 'DISK_TOO_SMALL' });
    });

    it.each([false, undefined])('is asked for a folder that it may not see: %s', async (found) => {
      runtime.containers.hasPath = () => Promise.resolve(found);
      sees(PLENTY, 3);
      expect(await checking()).toMatchObject({ params: { reason: { code: 'folder.notShared' } } });
    });
  });
});
