import { beforeEach, describe, expect, it } from 'vitest';
import { requireSameBench } from '../../../../src/benchmark/run/same-bench.ts';
import { imagesOf } from '../../../../src/shared/model/plan.ts';
import type { Passport } from '../../../../src/shared/model/passport.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { makePassport, makeState } from '../../builders.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { saying } from '../../../helpers/saying.ts';

/** Two of three rounds are left. */
const SHAPE = {
  scenarios: [{ storage: 'named-volume' as const, path: 'published-port' as const }],
  aaCheck: false,
  rounds: 3,
  outcomes: { 'named-volume.published-port': [500, 'canceled' as const, 'canceled' as const] },
  outcome: 'stopped' as const,
};

let state: RunState;
let runtime: FakeRuntime;
let image: { used: string; imageId: string | null };

beforeEach(() => {
  state = makeState(SHAPE);
  const [first] = imagesOf(state.plan);
  if (first === undefined) throw new Error('a plan has an image');
  image = first;
  runtime = onEngine({});
});

function onEngine(changes: Partial<Passport['runtime']>): FakeRuntime {
  const engine = new FakeRuntime(makePassport(changes));
  engine.addImage(image.used, { id: image.imageId ?? '' });
  return engine;
}

const check = (appVersion = '0.1.0') => requireSameBench(state, { engines: [runtime], appVersion });
const reason = (part: string) =>
  expect.objectContaining({
    code: 'RUN_NOT_RESUMABLE',
    params: { reason: saying(part) },
  });

describe('going on where everything is as it was', () => {
  it('is accepted where the name of the image means another one by now, and the first is still here', async () => {
    for (const one of runtime.imagesMade) one.references.splice(0);
    runtime.addImage(image.used);
    await expect(check()).resolves.toBeUndefined();
  });

  it('is accepted with a little more or less memory', async () => {
    const { runtime: engine } = state.plan.engines[0].passport;
    runtime = onEngine({ memoryBytes: engine.memoryBytes * 1.005 });
    await expect(check()).resolves.toBeUndefined();
  });

  it('is refused with a client on another machine', async () => {
    state.plan.clientEngine = { runtimeId: 'context:worker', passport: makePassport() };
    const checkWith = (passport = makePassport()) =>
      requireSameBench(state, {
        engines: [runtime],
        client: new FakeRuntime(passport),
        appVersion: '0.1.0',
      });
    await expect(checkWith()).resolves.toBeUndefined();
    await expect(checkWith(makePassport({ cpus: 2 }))).rejects.toMatchObject({ code: 'RUN_NOT_RESUMABLE' });
  });
});

describe('going on is refused', () => {
  it('with another version of Whalemark', async () => {
    await expect(check('0.2.0')).rejects.toEqual(reason('Whalemark 0.1.0'));
  });

  it.each([
    [{ storageDriver: 'other' }, 'the storage driver was'],
    [{ engineVersion: '99.0.0' }, 'the Docker engine was'],
    [{ kernel: '99' }, 'the operating system was'],
    [{ memoryBytes: 1e9 }, 'the engine’s memory was'],
  ])('on another engine, or another version of it: %o', async (changes, says) => {
    runtime = onEngine(changes);
    await expect(check()).rejects.toEqual(reason(says));
  });

  it('without its image', async () => {
    runtime.imagesMade.splice(0);
    await expect(check()).rejects.toEqual(reason(`the image ${image.used}`));
    await expect(check()).rejects.toEqual(reason('is no longer available'));
  });

  it('with a native program that is gone', async () => {
    for (const config of state.plan.configs) {
      config.native = { flavor: 'mysql', version: '8.4.3', binary: '/nonexistent/mysqld' };
    }
    for (const scenario of state.plan.scenarios) scenario.storage = { kind: 'native' };
    await expect(check()).rejects.toMatchObject({ params: { reason: { code: 'native.program' } } });
  });
});
