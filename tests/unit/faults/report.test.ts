import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FAULTS } from '../../faults/matrix.ts';
import { PHASES } from '../../faults/phases.ts';
import { REPORT_FILE, reportOf } from '../../faults/report.ts';
import { readResults, withCell, type CellResult, type Results } from '../../faults/results.ts';

const cell: CellResult = {
  ...{ fault: 'server-killed', phase: 'measure', status: 'passed', outcome: 'completed' },
  ...{ codes: ['SERVER_EXITED'], trials: { kept: 3, after: 4, planned: 4 }, seconds: 9 },
  ...{ remarks: [], date: '2026-01-02T00:00:00Z', engine: 'Docker Engine 1' },
};
const none: Results = { format: 'whalemark-reliability', cells: [] };

describe('docs/reliability.md', () => {
  it('is what the results file gives (npm run test:faults -- --report)', () => {
    expect(readFileSync(REPORT_FILE, 'utf8')).toBe(reportOf(readResults()));
  });

  it('shows what each cell came to, and calls what was not run by its name', () => {
    const page = reportOf(withCell(none, cell));
    expect(page).toContain('✓ completed, `SERVER_EXITED`, 9 s, 3/4');
    expect(page).toContain('not run');
    expect(page).toContain('1 passed, 0 failed');
  });

  it('names what failed, and why', () => {
    const page = reportOf(withCell(none, { ...cell, status: 'failed', remarks: ['left behind: volume v'] }));
    expect(page).toContain('0 passed, 1 failed');
    expect(page).toContain('left behind: volume v');
  });

  it('keeps one result of a cell, the latest', () => {
    const twice = withCell(withCell(none, cell), { ...cell, status: 'failed' });
    expect(twice.cells.map(({ status }) => status)).toEqual(['failed']);
  });

  it('has a reason for every cell that does not exist', () => {
    for (const fault of FAULTS) {
      for (const phase of PHASES) {
        const effect = fault.effect(phase);
        if (typeof effect !== 'string') expect(effect.none, `${fault.name} at ${phase}`).not.toBe('');
      }
    }
  });
});
