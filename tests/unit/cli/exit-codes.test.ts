import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../src/cli/exit-codes.ts';
import { BenchmarkError, type ErrorCode } from '../../../src/shared/errors.ts';

describe('exit codes', () => {
  it.each<[ErrorCode, number]>([
    ['USAGE', 2],
    ['PRESET_INVALID', 2],
    ['PRESET_INCOMPLETE', 2],
    ['PRESET_EXISTS', 2],
    ['PRESET_BUILT_IN', 2],
    ['CONSENT_MISSING', 2],
    ['NO_RUNTIME', 3],
    ['REGISTRY_UNREACHABLE', 5],
  ])('%s is %d', (code, expected) => {
    expect(exitCodeOf(new BenchmarkError(code).toData())).toBe(expected);
  });
});
