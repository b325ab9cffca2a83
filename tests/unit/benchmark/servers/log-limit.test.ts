import { expect, it } from 'vitest';
import { keepLine, logEvidence, LogLimit } from '../../../../src/benchmark/servers/server-log.ts';

/** A log with a clock that only the test moves. */
function limited() {
  const told: string[] = [];
  const clock = { now: 0 };
  const limit = new LogLimit(
    (lines) => told.push(...lines),
    () => clock.now,
  );
  const leftOut = (): number[] =>
    told.flatMap((line) => /^\[Whalemark\] (\d+) /.exec(line)?.[1] ?? []).map(Number);
  return { told, clock, limit, leftOut };
}

it('a server’s log is told as it is, start after start', () => {
  const { told, clock, limit, leftOut } = limited();
  for (let start = 0; start < 100; start++) {
    for (let line = 0; line < 60; line++) limit.push(`${start}.${line} ${'x'.repeat(100)}`);
    limit.end();
    clock.now += 15_000;
  }
  expect(told).toHaveLength(6000);
  expect(leftOut()).toEqual([]);
});

it('of a server that writes without end, the beginning is told, and how many lines were left out', () => {
  const { told, limit, leftOut } = limited();
  for (let line = 0; line < 1_000_000; line++) limit.push('y');
  limit.end();
  limit.end();
  expect(told.join('\n').length).toBeLessThan(2 ** 18);
  expect(leftOut()).toEqual([1_000_000 - (told.length - 1)]);
});

it('over hours it stays small, and every line is told or counted', () => {
  const { told, clock, limit, leftOut } = limited();
  const pushed = 10 * 3600 * 100;
  for (let line = 0; line < pushed; line++) {
    limit.push('y');
    clock.now += 10;
  }
  limit.end();
  expect(told.join('\n').length).toBeLessThan(40 * 2 ** 20);
  const notes = leftOut();
  expect(told.length - notes.length + notes.reduce((sum, count) => sum + count, 0)).toBe(pushed);
});

it('an endless line takes no more memory than a long one', () => {
  const log: string[] = [];
  for (let line = 0; line < 600; line++) keepLine(log, 'x'.repeat(2 ** 16));
  expect(log.join('').length).toBeLessThan(4 * 2 ** 20);
  expect(logEvidence(log).length).toBeGreaterThan(0);
});
