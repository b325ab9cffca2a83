import { expect, it } from 'vitest';
import { Plans } from '../../../../src/benchmark/handlers/plans.ts';
import { Whalemark } from '../../../../src/benchmark/service.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

it('the last plans of a session can be started, and those before them fill no memory', async () => {
  const runtime = new FakeRuntime();
  runtime.addImage('mysql:8.4', { env: { MYSQL_VERSION: '8.4.10' } });
  const dataDir = '/nonexistent';
  const never = (): never => {
    throw new Error('not asked for');
  };
  const plans = new Plans(
    new Whalemark({
      dataDir,
      datasetDir: null,
      assetsDir: 'assets',
      presetsDir: 'presets',
      clientFile: '/c',
      appVersion: '0',
    }),
    {
      runtimes: { inUse: () => Promise.resolve(runtime) },
      setups: { get: never },
      isFromFile: never,
      view: never,
      continuable: never,
    },
  );
  const made: string[] = [];
  for (let count = 0; count < 25; count++) {
    made.push((await plans.handlers['plan:make']({ presetId: 'compare-my-setup', mode: 'quick' })).id);
  }
  expect(plans.get(made.at(-1) ?? '').plan.id).toBe(made.at(-1));
  expect(plans.get(made.at(-5) ?? '').plan.id).toBe(made.at(-5));
  expect(() => plans.get(made[0] ?? '')).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
