import { afterEach, describe, expect, it } from 'vitest';
import {
  connectEngines,
  findEngines,
  connectRuntime,
} from '../../../../../src/benchmark/runtime/engine/dockerode-runtime.ts';
import { allOf } from '../../../../../src/benchmark/runtime/container-runtime.ts';
import { discoverRuntimes } from '../../../../../src/benchmark/runtime/discovery/discover.ts';
import { lookAt, stateFixture } from '../docker-state-machine.ts';
import { fixtureMachine } from '../fixture-machine.ts';
import { BenchmarkError } from '../../../../../src/shared/errors.ts';

const lookedAt = async (runtime: string) => {
  const machine = fixtureMachine(runtime);
  return { machine, report: await discoverRuntimes({ surroundings: machine }) };
};

describe('connectRuntime', () => {
  const before = process.env['DOCKER_HOST'];
  afterEach(() => {
    if (before === undefined) delete process.env['DOCKER_HOST'];
    else process.env['DOCKER_HOST'] = before;
  });

  it('takes the chosen runtime, or the one that is named', async () => {
    const { machine, report } = await lookedAt('docker-desktop-mac');
    expect(connectRuntime(report, undefined, machine).id).toBe('context:desktop-linux');
    const named = connectRuntime(report, 'context:default', machine);
    expect(named.id).toBe('context:default');
    expect(named.passport.runtime.kind).toBe('docker-desktop');
  });

  it('says which runtimes there are when the id is wrong', async () => {
    const { machine, report } = await lookedAt('docker-rootless');
    expect(() => connectRuntime(report, 'context:typo', machine)).toThrow(
      expect.objectContaining({
        code: 'ENGINE_UNKNOWN',
        params: { id: 'context:typo', known: 'context:rootless' },
      }),
    );
  });

  it('reaches no engine whose context was removed since', async () => {
    const { report } = await lookedAt('docker-desktop-mac');
    const without = fixtureMachine('docker-rootless');
    expect(() => connectRuntime(report, 'context:desktop-linux', without)).toThrow(
      expect.objectContaining({ code: 'ENGINE_UNKNOWN' }),
    );
  });

  it('reaches no engine of a context whose certificates can’t be read any more, and says why', async () => {
    const { machine, report } = await lookedAt('docker-desktop-mac');
    const readText = (path: string): string | undefined => {
      if (path.endsWith('.pem')) throw new Error(`EACCES: ${path}`);
      return machine.readText(path);
    };
    expect(() => connectRuntime(report, 'context:desktop-linux', { ...machine, readText })).toThrow(
      expect.objectContaining({ code: 'CONTEXT_BROKEN' }),
    );
  });

  it('shows what was tried when nothing is usable', async () => {
    const { machine, report } = await lookedAt('docker-desktop-windows-containers');
    const first = `default: ${new BenchmarkError('WINDOWS_CONTAINERS').message}`;
    const tried = report.attempts.map(
      (_, index) => expect.stringContaining(index === 0 ? first : '') as unknown,
    );
    expect(() => connectRuntime(report, undefined, machine)).toThrow(
      expect.objectContaining({ code: 'NO_ENGINE', evidence: tried }),
    );
  });

  it('says that a variable selects an engine that is not usable, and which ones are', async () => {
    const fixture = stateFixture('wrong-context-linux-variable');
    const report = await lookAt(fixture);
    const machine = { ...fixtureMachine('docker-rootless'), platform: fixture.platform };
    expect(() => connectRuntime(report, undefined, machine)).toThrow(
      expect.objectContaining({
        code: 'WRONG_CONTEXT',
        params: expect.objectContaining({
          command: 'unset DOCKER_HOST',
          known: 'context:default',
        }) as unknown,
      }),
    );
  });

  it('does not let a DOCKER_HOST in the environment interfere', async () => {
    const { machine, report } = await lookedAt('docker-rootless');
    process.env['DOCKER_HOST'] = 'tcp://[not an address';
    expect(connectRuntime(report, undefined, machine).id).toBe('context:rootless');
    expect(process.env['DOCKER_HOST']).toBe('tcp://[not an address');
  });
});

describe('connectEngines', () => {
  const machine = fixtureMachine('docker-desktop-mac');
  /** The two contexts name different engines here. */
  const twoEngines = async () => {
    const { attempts, ...report } = await discoverRuntimes({ surroundings: machine });
    const apart = attempts.filter(({ source }) => source === 'context');
    return { ...report, attempts: apart.map((one) => ({ ...one, sameAs: [] })) };
  };
  const names = (engines: readonly { id: string }[]): string[] => engines.map(({ id }) => id);

  it('takes all, the one in use first, or those that are named in that order', async () => {
    const report = await twoEngines();
    const [inUse, other] = ['context:desktop-linux', 'context:default'];
    expect(names(connectEngines(report, 'all', machine))).toEqual([inUse, other]);
    for (const first of ['default', 'context:default'])
      expect(names(connectEngines(report, [first, 'desktop-linux'], machine))).toEqual([other, inUse]);
  });

  it('adds the client’s by its context', async () => {
    const report = await twoEngines();
    const find = (client: string) =>
      findEngines(report, () => connectRuntime(report, undefined, machine), undefined, client, machine);
    expect(names(allOf(find('default')))).toEqual(['context:desktop-linux', 'context:default']);
    expect(() => find('typo')).toThrow(expect.objectContaining({ code: 'ENGINE_UNKNOWN' }));
  });

  it('refuses one alone, and the same twice', async () => {
    const tooFew = expect.objectContaining({ code: 'ENGINES_TOO_FEW' });
    const same = await discoverRuntimes({ surroundings: machine });
    const two = await twoEngines();
    for (const named of ['all' as const, ['default', 'desktop-linux']])
      expect(() => connectEngines(same, named, machine)).toThrow(tooFew);
    for (const named of [['default'], ['default', 'default']])
      expect(() => connectEngines(two, named, machine)).toThrow(tooFew);
    expect(() => connectEngines(two, ['default', 'typo'], machine)).toThrow(
      expect.objectContaining({ code: 'ENGINE_UNKNOWN' }),
    );
  });
});
