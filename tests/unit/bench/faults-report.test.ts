import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkEffect } from '../../../bench/faults/checks.ts';
import { MATRIX } from '../../../bench/faults/matrix.ts';
import { PHASES } from '../../../bench/faults/phases.ts';
import { REPORT_FILE, reportOf } from '../../../bench/faults/report.ts';
import { readResults, withCell, type CellResult, type Results } from '../../../bench/faults/results.ts';

const cell: CellResult = {
  ...{ fault: 'server-killed', phase: 'measure', status: 'passed', outcome: 'completed' },
  ...{ codes: ['SERVER_EXITED'], trials: { kept: 3, after: 4, planned: 4 }, seconds: 9 },
  ...{ remarks: [], date: '2026-01-02T00:00:00Z', engine: 'Docker Engine 1' },
};
const none: Results = { format: 'whalemark-reliability', cells: [] };

describe('docs/dev/reliability.md', () => {
  it('is what the results file gives (npm run test:faults -- --report)', () => {
    expect(readFileSync(REPORT_FILE, 'utf8')).toBe(reportOf(readResults()));
  });

  it('counts the cells that passed, by phase, and those not run', () => {
    const page = reportOf(withCell(none, cell));
    expect(page).toMatch(/1 passed, 0 had no effect.* [1-9]\d* not run/);
    expect(page).toMatch(/\| measure \|.*\| 1 of \d+ \|/);
  });

  it('counts cells older than what they exercise, and names the commits of the others', () => {
    const measured = { date: '2026-11-25T00:00:00Z', commit: 'abcd1234' };
    expect(reportOf(withCell(none, cell))).toContain('1 are from before');
    const page = reportOf(withCell(none, { ...cell, ...measured }));
    expect(page).not.toContain('are from before');
    expect(page).toContain('abcd1234');
  });

  it('names what failed, and why', () => {
    const page = reportOf(withCell(none, { ...cell, status: 'failed', remarks: ['left behind: volume v'] }));
    expect(page).toMatch(/0 passed,.* 1 failed/);
    expect(page).toMatch(/server container killed, measure\*\*: completed, `SERVER_EXITED`/);
    expect(page).toContain('left behind: volume v');
  });

  it('keeps one result of a cell, the latest', () => {
    const twice = withCell(withCell(none, cell), { ...cell, status: 'failed' });
    expect(twice.cells.map(({ status }) => status)).toEqual(['failed']);
  });

  it('lists a fault without effect, and does not count it as passed', () => {
    const page = reportOf(withCell(none, { ...cell, status: 'no effect', codes: [] }));
    expect(page).toContain('0 passed, 1 had no effect');
    expect(page).toContain('- server container killed, measure');
  });

  it('has a reason for every cell that does not exist', () => {
    for (const fault of MATRIX) {
      for (const phase of PHASES) {
        const effect = fault.effect(phase);
        if (typeof effect !== 'string') expect(effect.none, `${fault.name} at ${phase}`).not.toBe('');
      }
    }
  });
});

describe('the effect of a fault', () => {
  const told = (kept: number, ...codes: string[]) => ({
    ...{ outcome: 'completed' as const, codes, planned: 4 },
    measured: new Map(Array.from({ length: kept }, (_, index) => [String(index), {}])),
  });
  const quiet = { stderr: '' };

  it('has to be seen where one is declared', () => {
    for (const effect of ['error', 'SERVER_EXITED', 'stopped'] as const) {
      expect(checkEffect(effect, quiet, told(4)), effect).toHaveLength(1);
    }
    expect(checkEffect('SERVER_EXITED', quiet, told(3, 'LOAD_FAILED'))).toHaveLength(1);
    expect(checkEffect('SERVER_EXITED', quiet, told(3, 'SERVER_EXITED'))).toEqual([]);
    expect(checkEffect('error', { stderr: 'It broke. [RESULT_UNSAVED]' }, told(4))).toEqual([]);
  });

  it('must not be there where none is declared', () => {
    expect(checkEffect('no effect', quiet, told(4))).toEqual([]);
    expect(checkEffect('no effect', quiet, told(3))).toHaveLength(1);
    expect(checkEffect('no effect', quiet, told(4, 'INTERRUPTED'))).toHaveLength(1);
  });
});
