import { expect, it } from 'vitest';
import { recentRunOf } from '../../../../src/benchmark/store/listed-run.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { updatesSince } from '../../../../src/shared/words/since-last.ts';
import { demoState, makePassport } from '../../builders.ts';

const t = createTranslator('en');
const desktop = (version: string, engineVersion: string, kernel: string) =>
  ({ kind: 'docker-desktop', name: `Docker Desktop ${version}`, engineVersion, kernel, vm: true }) as const;

function said(then: Parameters<typeof makePassport>[0], now: Parameters<typeof makePassport>[0]) {
  const run = recentRunOf(demoState({ runtime: then ?? {} }));
  if (run === null) throw new Error('a finished run');
  return updatesSince(run, makePassport(now), t);
}

it('an update of the engine, what is around it, or its virtual machine is named with both versions', () => {
  expect(said({}, { name: 'Docker Engine 28.2.2', engineVersion: '28.2.2' })).toBe(
    'Docker Engine 28.1.1 → 28.2.2',
  );
  expect(said(desktop('4.66.0', '28.1.1', '6.10.14'), desktop('4.67.0', '28.2.2', '6.12.5'))).toBe(
    'Docker Desktop 4.66.0 → 4.67.0, Engine 28.1.1 → 28.2.2, Kernel 6.10.14 → 6.12.5',
  );
});

it('nothing is said of an engine as it was, of another one, and of results that say too little', () => {
  expect(said({}, {})).toBeUndefined();
  expect(said({}, desktop('4.67.0', '28.2.2', '6.12.5'))).toBeUndefined();
  const { machine } = recentRunOf(demoState()) ?? {};
  if (machine === undefined) throw new Error('a finished run');
  expect(updatesSince({ machine }, makePassport({ engineVersion: '99' }), t)).toBeUndefined();
});
