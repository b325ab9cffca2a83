import { describe, expect, it } from 'vitest';
import { summaryOf, totals } from '../../../../scripts/test/summary.mjs';

const outcome = (name: string, changes: object = {}) => ({
  ...{ name, passed: 3, failed: 0, failures: [], files: [], seconds: 4 },
  ...changes,
});
const RUN = { mode: 'npm test', seconds: 600, folder: 'test-results' };

describe('the end of npm test', () => {
  it('has the counts of all stages in its last line', () => {
    const outcomes = [outcome('unit'), outcome('lint', { passed: 0, failed: 1 })];
    expect(totals(outcomes)).toEqual([3, 1]);
    expect(summaryOf(outcomes, RUN).split('\n').at(-1)).toBe('3 passed, 1 failed');
  });

  it('names what failed, and the slowest files first', () => {
    const files = Array.from({ length: 30 }, (_, index) => ({
      name: `f${index}.ts`,
      seconds: index,
      tests: 1,
    }));
    const failures = [{ name: 'f1.ts: adds', reason: 'expected 1' }];
    const lines = summaryOf([outcome('unit', { files, failed: 1, failures })], RUN).split('\n');
    const listed = lines.filter((line) => /f\d+\.ts \(/.test(line));
    expect(listed).toHaveLength(20);
    expect(listed[0]).toContain('f29.ts');
    expect(lines.some((line) => line.includes('f1.ts: adds'))).toBe(true);
    expect(lines.some((line) => line.includes('expected 1'))).toBe(true);
  });
});
