import { afterEach, describe, expect, it } from 'vitest';
import { connectRuntime } from '../../../../../src/benchmark/runtime/engine/dockerode-runtime.ts';
import { discoverRuntimes } from '../../../../../src/benchmark/runtime/discovery/discover.ts';
import { fixtureMachine } from '../fixture-machine.ts';
import { BenchmarkError } from '../../../../../src/shared/errors.ts';

describe('connectRuntime', () => {
  const before = process.env['DOCKER_HOST'];
  afterEach(() => {
    if (before === undefined) delete process.env['DOCKER_HOST'];
    else process.env['DOCKER_HOST'] = before;
  });

  it('takes the chosen runtime, or the one that is named', async () => {
    const machine = fixtureMachine('docker-desktop-mac');
    const report = await discoverRuntimes({ surroundings: machine });
    expect(connectRuntime(report, undefined, machine).id).toBe('context:desktop-linux');
    const named = connectRuntime(report, 'context:default', machine);
    expect(named.id).toBe('context:default');
    expect(named.passport.runtime.kind).toBe('docker-desktop');
  });

  it('says which runtimes there are when the id is wrong', async () => {
    const machine = fixtureMachine('docker-rootless');
    const report = await discoverRuntimes({ surroundings: machine });
    expect(() => connectRuntime(report, 'context:typo', machine)).toThrow(
      expect.objectContaining({
        code: 'ENGINE_UNKNOWN',
        params: { id: 'context:typo', known: 'context:rootless' },
      }),
    );
  });

  it('reaches no engine whose context was removed since', async () => {
    const machine = fixtureMachine('docker-desktop-mac');
    const report = await discoverRuntimes({ surroundings: machine });
    const without = { ...machine, ...fixtureMachine('docker-rootless') };
    expect(() => connectRuntime(report, 'context:desktop-linux', without)).toThrow(
      expect.objectContaining({ code: 'ENGINE_UNKNOWN' }),
    );
  });

  it('reaches no engine of a context whose certificates can’t be read any more, and says why', async () => {
    const machine = fixtureMachine('docker-desktop-mac');
    const report = await discoverRuntimes({ surroundings: machine });
    const readText = (path: string): string | undefined => {
      if (path.endsWith('.pem')) throw new Error(`EACCES: ${path}`);
      return machine.readText(path);
    };
    expect(() => connectRuntime(report, 'context:desktop-linux', { ...machine, readText })).toThrow(
      expect.objectContaining({ code: 'CONTEXT_BROKEN' }),
    );
  });

  it('shows what was tried when nothing is usable', async () => {
    const machine = fixtureMachine('docker-desktop-windows-containers');
    const report = await discoverRuntimes({ surroundings: machine });
    try {
      connectRuntime(report, undefined, machine);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'NO_ENGINE' });
      expect(error).toHaveProperty('evidence.length', report.attempts.length);
      expect(error).toHaveProperty(
        'evidence.0',
        expect.stringContaining(`default: ${new BenchmarkError('WINDOWS_CONTAINERS').message}`),
      );
    }
  });

  it('does not let a DOCKER_HOST in the environment interfere', async () => {
    const machine = fixtureMachine('docker-rootless');
    const report = await discoverRuntimes({ surroundings: machine });
    process.env['DOCKER_HOST'] = 'tcp://[not an address';
    expect(connectRuntime(report, undefined, machine).id).toBe('context:rootless');
    expect(process.env['DOCKER_HOST']).toBe('tcp://[not an address');
  });
});
