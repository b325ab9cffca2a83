import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunSession } from '../../../../src/benchmark/run/session.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { GRID, makeState, type TrialOutcome } from '../../builders.ts';

vi.hoisted(() => vi.stubGlobal('__APP_VERSION__', '0.0.0'));
const { levelConditions } = await import('../../../../src/cli/conditions.ts');
const { conductRun } = await import('../../../../src/cli/commands/run.ts');

const PATH = '/data/runs/r/result.json';
const unsaved = new BenchmarkError('RESULT_UNSAVED', { reason: 'ENOSPC: no space left on device' }).toData();
let out = '';
let err = '';

beforeEach(() => {
  [out, err] = ['', ''];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += String(text)), true));
});
afterEach(() => vi.restoreAllMocks());

function stateOf(outcomes: TrialOutcome[]): RunState {
  return makeState({
    scenarios: GRID.slice(0, 1),
    aaCheck: false,
    rounds: outcomes.length,
    outcomes: { 'named-volume.published-port': outcomes },
  });
}

/** A run that has ended. */
function ended(state: RunState, saveError: typeof unsaved | null): RunSession {
  const nothing = (): void => undefined;
  return {
    runId: state.runId,
    state: () => state,
    stop: nothing,
    pause: nothing,
    resume: nothing,
    skip: nothing,
    done: Promise.resolve({ state, journalPath: PATH, saveError }),
  };
}

const conduct = (outcomes: TrialOutcome[], saveError: typeof unsaved | null, json = false) =>
  conductRun(ended(stateOf(outcomes), saveError), undefined, { json });

describe('a run in the terminal', () => {
  it('whose result is on disk says where, and ends as its trials did', async () => {
    expect(await conduct([500, 500], null)).toBe(0);
    expect(out).toContain(`\nResult: ${PATH}\n`);
    expect(err).not.toContain('RESULT_UNSAVED');
  });

  it('whose result could not be written says that, names no file, and does not end as done', async () => {
    expect(await conduct([500, 500], unsaved)).toBe(4);
    expect(err).toContain('ENOSPC: no space left on device [RESULT_UNSAVED]');
    expect(out).toContain('Named volume via published port');
    expect(out).not.toContain('Result:');
    expect(out).not.toContain(PATH);
  });

  it('gives scripts no path of a file that is not there', async () => {
    await conduct([500, 500], unsaved, true);
    expect(JSON.parse(out)).toMatchObject({ result: null, outcome: 'completed' });
  });

  it.each([
    [[500, 500, 500], null, 6],
    [[500, 'SERVER_EXITED', 500], null, 4],
    [[500, 500, 500], unsaved, 4],
    [[500], null, 7],
  ] as [TrialOutcome[], typeof unsaved | null, number][])(
    'of %j ends with its own failure before that of a condition',
    async (outcomes, saveError, exitCode) => {
      const state = makeState({
        scenarios: GRID.slice(0, 2),
        aaCheck: false,
        rounds: outcomes.length,
        outcomes: {
          'named-volume.published-port': outcomes.map(() => 1000),
          'named-volume.user-bridge': outcomes,
        },
      });
      const failIf = levelConditions('path.user-bridge>1.5');
      const ending = conductRun(ended(state, saveError), undefined, { failIf, json: saveError !== null });
      expect(await ending).toBe(exitCode);
      if (saveError === null) expect(out).toContain('--fail-if path.user-bridge>1.5 is ');
      else expect(JSON.parse(out)).toMatchObject({ conditions: [{ outcome: 'true', factor: 'path' }] });
    },
  );

  it('that measured nothing says so first', async () => {
    expect(await conduct(['SERVER_EXITED', 'SERVER_EXITED'], unsaved)).toBe(5);
  });
});
