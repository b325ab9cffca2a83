import { describe, expect, it } from 'vitest';
import { exitCodeOf, exitCodeOfRun } from '../../../src/cli/exit-codes.ts';
import { BenchmarkError, type ErrorCode } from '../../../src/shared/errors.ts';
import { GRID, makeState, type TrialOutcome } from '../builders.ts';

describe('exit codes', () => {
  it.each<[ErrorCode, number]>([
    ['USAGE', 2],
    ['DISK_TOO_SMALL', 2],
    ['NO_ENGINE', 3],
    ['EXPORT_FAILED', 4],
    ['REGISTRY_UNREACHABLE', 5],
  ])('%s is %d', (code, expected) => {
    expect(exitCodeOf(new BenchmarkError(code).toData())).toBe(expected);
  });

  it.each<[string, TrialOutcome[], number]>([
    ['every trial was measured', [500, 500], 0],
    ['some failed', [500, 'SERVER_EXITED'], 4],
    ['the user skipped some', [500, 'SKIPPED'], 0],
    ['some failed and others were skipped', [500, 'SKIPPED', 'SERVER_EXITED'], 4],
    ['all were skipped', ['SKIPPED', 'SKIPPED'], 5],
  ])('of a run when %s', (_, outcomes, expected) => {
    const state = makeState({
      scenarios: GRID.slice(0, 1),
      aaCheck: false,
      rounds: outcomes.length,
      outcomes: { 'named-volume.published-port': outcomes },
    });
    expect(exitCodeOfRun(state)).toBe(expected);
  });
});
