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
    left: () => Promise.resolve([]),
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

  it('ends at a second Ctrl+C, and says what is left and how to remove it', async () => {
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    const stop = vi.fn();
    let end = (): void => undefined;
    const session = ended(stateOf([500, 500]), null);
    const left = ['container', 'container', 'volume'].map((kind, index) => ({
      kind: kind as 'container' | 'volume',
      name: String(index),
    }));
    const { done } = session;
    const stuck = new Promise<void>((resolve) => (end = resolve)).then(() => done);
    const conducted = conductRun({ ...session, stop, left: async () => left, done: stuck }, undefined);
    process.emit('SIGINT');
    expect(stop).toHaveBeenCalledTimes(1);
    expect(exit).not.toHaveBeenCalled();
    process.emit('SIGINT');
    await vi.waitFor(() => expect(exit).toHaveBeenCalledWith(130));
    for (const told of ['2 containers, 1 volume', 'whalemark clean']) expect(err).toContain(told);
    end();
    await conducted;
  });

  it('that ends while what is left is listed shows its result', async () => {
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    let end = (): void => undefined;
    const session = ended(stateOf([500, 500]), null);
    const { done } = session;
    const cleaning = new Promise<void>((resolve) => (end = resolve)).then(() => done);
    const left = async (): Promise<[]> => {
      end();
      await cleaning;
      return [];
    };
    const conducted = conductRun({ ...session, left, done: cleaning }, undefined);
    process.emit('SIGINT');
    process.emit('SIGINT');
    await conducted;
    expect(exit).not.toHaveBeenCalled();
    expect(out).toContain('Result:');
  });

  it('that measured nothing says so first', async () => {
    expect(await conduct(['SERVER_EXITED', 'SERVER_EXITED'], unsaved)).toBe(5);
  });
});
