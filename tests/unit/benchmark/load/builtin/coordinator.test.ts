import { describe, expect, it } from 'vitest';
import { spread } from '../../../../../src/benchmark/load/builtin/coordinator.ts';

describe('spread', () => {
  it.each([
    [8, 1, [8]],
    [8, 2, [4, 4]],
    [10, 4, [3, 3, 2, 2]],
    [3, 3, [1, 1, 1]],
    [512, 7, [74, 73, 73, 73, 73, 73, 73]],
  ])('%i connections over %i workers', (connections, workers, expected) => {
    expect(spread(connections, workers).sort((a, b) => b - a)).toEqual(expected);
  });
});
