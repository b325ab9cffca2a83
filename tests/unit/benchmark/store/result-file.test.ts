import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { englishOf } from '../../../../src/shared/message.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { parseResult, serializeResult } from '../../../../src/benchmark/store/result-file.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { makeState, sampleState } from '../../builders.ts';

const SAMPLE = fileURLToPath(new URL('../../../fixtures/results/sample-result.json', import.meta.url));
const small = makeState({ scenarios: [{ storage: 'named-volume', path: 'published-port' }], rounds: 1 });
const text = serializeResult(small);

function refusal(broken: string): { code: string; reason: string; message: string } {
  try {
    parseResult(broken, 'run.json');
  } catch (error) {
    if (error instanceof BenchmarkError) {
      return { code: error.code, reason: englishOf(error.params['reason'] ?? ''), message: error.message };
    }
    throw error;
  }
  throw new Error('was read without an error');
}
function changed(
  change: (file: { version: unknown; format: unknown; state: Record<string, unknown> }) => void,
) {
  const file = JSON.parse(text) as Parameters<typeof change>[0];
  change(file);
  return JSON.stringify(file);
}

/** The reason why a result with this change is refused. */
const inState = (change: (state: RunState) => unknown): string =>
  refusal(changed(({ state }) => void change(state as unknown as RunState))).reason;

function copies<T>(one: T | undefined, count: number): T[] {
  if (one === undefined) throw new Error('nothing to copy');
  return Array.from({ length: count }, () => one);
}

describe('result file', () => {
  it('comes back as it went', () => {
    expect(parseResult(text, 'run.json')).toEqual(small);
    expect(parseResult(`\uFEFF${text}`, 'run.json')).toEqual(small);
  });

  it('the sample in the fixtures is what the builders make, and still readable', async () => {
    const made = serializeResult(sampleState());
    // UPDATE_FIXTURES=1 writes it again after a deliberate change of the format.
    if (process.env['UPDATE_FIXTURES'] === '1') await writeFile(SAMPLE, made);
    const kept = await readFile(SAMPLE, 'utf8');
    expect(kept === made, 'sample-result.json differs from sampleState()').toBe(true);
    expect(analyze(parseResult(kept, 'sample')).headline).toMatchObject({
      kind: 'findings',
    });
  });

  it('says at which byte a file that was cut off ends, wherever the cut is', () => {
    const cuts = [1, 17, 40, 200, 1000, 3001, text.length - 3].map((length) => text.slice(0, length));
    for (const cut of [...cuts, '{"format": "whalemark-result", "state": "é×']) {
      expect(refusal(cut)).toMatchObject({
        code: 'RESULT_UNREADABLE',
        reason: `it is incomplete: it ends at byte ${Buffer.byteLength(cut)}`,
      });
    }
  });

  it('tells broken JSON from what never was JSON', () => {
    const middle = text.indexOf('"appVersion"');
    expect(refusal(`${text.slice(0, middle)}#${text.slice(middle)}`).reason).toMatch(/^invalid JSON/);
    expect(refusal('<!DOCTYPE html><html>').reason).toBe(
      'it isn’t JSON; it begins with “<!DOCTYPE html><html”',
    );
    expect(refusal(' \n').reason).toBe('it is empty');
    expect(refusal('[1, 2]').reason).toBe('it is JSON, but not an object');
  });

  it('tells what another file is', () => {
    expect(refusal('{"name":"x","version":"1.0"}')).toMatchObject({
      code: 'RESULT_UNREADABLE',
      reason: 'it is a different kind of JSON (fields: name, version)',
    });
    expect(refusal(changed((file) => (file.format = 'k6-summary'))).reason).toContain('“k6-summary”');
  });

  it('names the place of what only harms when it is analyzed or shown', () => {
    const histogram = 'AAAA';
    expect(
      inState(({ trials: [trial] }) =>
        Object.assign(trial?.totals ?? {}, { statements: { point: histogram } }),
      ),
    ).toBe('state.trials.0.totals.statements.point: not a latency histogram');
    expect(inState(({ trials: [trial] }) => Object.assign(trial?.totals ?? {}, { histogram }))).toBe(
      'state.trials.0.totals.histogram: not a latency histogram',
    );
    expect(inState(({ plan }) => Object.assign(plan.scenarios[0] ?? {}, { configId: 'gone' }))).toBe(
      'state.plan.scenarios.0.configId: server configuration “gone” doesn’t exist',
    );
    // No date can be made of it.
    expect(inState((state) => Object.assign(state, { startedAt: 1e16 }))).toMatch(/^state\.startedAt: /);
  });

  it('knows a file from the future, and one from the past', () => {
    expect(refusal(changed((file) => (file.version = 7)))).toEqual({
      code: 'RESULT_TOO_NEW',
      reason: '',
      message: 'run.json is from a newer version of Whalemark (format 7; this version reads up to 5).',
    });
    expect(refusal(changed((file) => (file.version = 3)))).toMatchObject({
      code: 'RESULT_UNREADABLE',
      reason: expect.stringContaining('format 3') as string,
    });
    expect(refusal(changed((file) => (file.version = 'one'))).reason).toMatch(/^version: /);
  });

  it('names the first field that is wrong', () => {
    expect(
      inState(({ trials: [trial] }) => Object.assign(trial?.totals ?? {}, { transactions: 'many' })),
    ).toMatch(/^state\.trials\.0\.totals\.transactions: .*number/);
    expect(inState((state) => Reflect.deleteProperty(state, 'plan'))).toMatch(/^state\.plan: /);
  });

  it.each<[string, (state: RunState) => unknown, RegExp]>([
    [
      'scenarios',
      ({ plan }) => (plan.scenarios = copies(plan.scenarios[0], 1001)),
      /^state\.plan\.scenarios: .*1001/,
    ],
    [
      'A/A repeats',
      ({ plan: { scenarios } }) =>
        scenarios.push(...copies(scenarios[0], 2).map((one) => ({ ...one, isAaRepeat: true }))),
      /^state\.plan\.scenarios: /,
    ],
    ['configs', ({ plan }) => (plan.configs = copies(plan.configs[0], 1001)), /^state\.plan\.configs: /],
    ['rounds', ({ plan }) => (plan.rounds = copies(plan.rounds[0], 201)), /^state\.plan\.rounds: /],
    [
      'scenarios in a round',
      ({ plan }) => (plan.rounds = [copies('a', plan.scenarios.length + 1)]),
      /^state\.plan\.rounds: /,
    ],
    ['trials', ({ trials }) => trials.push(...copies(trials[0], 1)), /^state\.trials: /],
  ])('refuses more %s than a plan can have', (_, change, reason) => {
    expect(inState(change)).toMatch(reason);
  });
});
