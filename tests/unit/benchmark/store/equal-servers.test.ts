import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  EQUAL_SERVERS,
  expectedApart,
  noteEqualServers,
} from '../../../../src/benchmark/store/equal-servers.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { SERVERS_APART } from '../../../../src/shared/statistics/components.ts';
import { createTranslator, ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { runFacts } from '../../../../src/shared/words/facts.ts';
import { newFolder } from '../../../helpers/folders.ts';
import { makePlan, makeState, type StateShape } from '../../builders.ts';
import { TWO } from '../../shared/analysis/analysis-helpers.ts';

const [BASE, BIND] = makePlan({ scenarios: TWO }).scenarios.map(({ id }) => id);
const { engines } = makePlan();

/** Side by side; the second server of the baseline is this much faster. */
function stateOf(apart: number, shape: StateShape = {}): RunState {
  const outcomes = { [BASE ?? '']: [2000], [`${BASE}~again`]: [2000 * (1 + apart)], [BIND ?? '']: [1500] };
  return makeState({
    ...{ scenarios: TWO, rounds: 1, sliceSeconds: 1, durationSeconds: 12, outcomes },
    ...shape,
  });
}

async function folderAfter(...runs: readonly RunState[]): Promise<string> {
  const folder = newFolder();
  for (const run of runs) await noteEqualServers(folder, run);
  return folder;
}

it('a machine whose equal servers differ expects that they do, but with 20 degrees of freedom at most', async () => {
  const differing = stateOf(0.04);
  const [near, far] = [await folderAfter(stateOf(0)), await folderAfter(differing)];
  const [alike, apart] = [await expectedApart(engines, near), await expectedApart(engines, far)];
  expect(alike?.variance).toBeLessThan(SERVERS_APART.variance);
  expect(apart?.variance).toBeGreaterThan(SERVERS_APART.variance);
  expect(apart).toMatchObject({ runs: 1, degrees: SERVERS_APART.degrees + 1 });
  for (let run = 0; run < 60; run++) await noteEqualServers(far, differing);
  expect(await expectedApart(engines, far)).toMatchObject({ runs: 50, degrees: 20 });
});

it('intervals are wider on such a machine, and the result says why', () => {
  const run = stateOf(0);
  const apart = { variance: 0.02 ** 2, degrees: 20, runs: 12 };
  const there = { ...run, plan: { ...run.plan, serversApart: apart } };
  const errorOf = (state: RunState) => analyze(state).effects[0]?.ratio?.standardError ?? NaN;
  expect(errorOf(there)).toBeGreaterThan(errorOf(run) * 1.5);
  expect(analyze(there).aaCheck?.ratio.standardError).toBeGreaterThan(0.02 * Math.SQRT2);
  expect(runFacts('schedule', there, ENGLISH)).toContainEqual([
    'Two equal servers on this machine',
    '±4% apart, by 12 earlier runs',
  ]);
  const said = (state: RunState) => JSON.stringify(runFacts('schedule', state, createTranslator('zh-CN')));
  expect(said(there)).toContain('±4%');
  expect(said(run)).not.toContain('相同的服务器');
});

it.each([
  ['stopped', stateOf(0, { outcome: 'stopped' })],
  ['not side by side', makeState({ scenarios: TWO, rounds: 5 })],
  ['of an engine elsewhere', elsewhere(stateOf(0))],
  // A path that one storage can't bear.
  ['with differences that no equal servers have', stateOf(0.4)],
])('nothing is kept of a run that is %s', async (_, run) => {
  const folder = await folderAfter(run);
  expect(existsSync(join(folder, EQUAL_SERVERS))).toBe(false);
});

it('nothing is expected of an engine elsewhere', async () => {
  const folder = await folderAfter(stateOf(0));
  expect(await expectedApart(elsewhere(stateOf(0)).plan.engines, folder)).toBeUndefined();
});

it.each([
  '',
  '{"a": 1}',
  '[[{"mean": "x"}]]',
  '[[{"mean": 1, "variance": -1, "degrees": 4, "share": 1}]]',
  '[[1',
])('a broken file is no record, and the next run begins a new one: %s', async (text) => {
  const folder = newFolder();
  writeFileSync(join(folder, EQUAL_SERVERS), text);
  expect(await expectedApart(engines, folder)).toBeUndefined();
  await noteEqualServers(folder, stateOf(0));
  expect(JSON.parse(readFileSync(join(folder, EQUAL_SERVERS), 'utf8'))).toHaveLength(1);
});

function elsewhere(run: RunState): RunState {
  const [engine] = run.plan.engines;
  const { passport } = engine;
  const remote = { ...engine, passport: { ...passport, runtime: { ...passport.runtime, remote: true } } };
  return { ...run, plan: { ...run.plan, engines: [remote] } };
}
