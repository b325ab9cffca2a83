import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { flagNotes } from '../../../../src/shared/words/wording.ts';
import { makeState, type StateShape } from '../../builders.ts';
import { BASE, BIND, TWO, one } from './analysis-helpers.ts';

const t = createTranslator('en');
const shape: StateShape = { scenarios: TWO, aaCheck: false, rounds: 3 };
const flushing = (us: number) => analyze(makeState({ ...shape, flushUs: { [BIND]: us } }));

describe('flags of a scenario', () => {
  it('has none where flushes take their time and the client has a reserve', () => {
    const analysis = analyze(makeState(shape));
    expect(analysis.scenarios.map(({ flags }) => flags)).toEqual([[], []]);
    expect(flagNotes(analysis, t)).toEqual([]);
  });

  it('flags a flush that no medium can confirm, of its own scenario only', () => {
    expect(one(flushing(3.4), BIND).flags).toEqual(['not-durable']);
    expect(one(flushing(3.4), BASE).flags).toEqual([]);
    expect(one(flushing(15), BIND).flags).toEqual([]);
  });

  it('flags a client without reserve: by its processor, its event loop, or its garbage', () => {
    for (const client of [
      { cpuShare: 0.86 },
      { waitShare: 0.11 },
      { loopDelayP99Us: 80_000 },
      { gcSeconds: 0.6 },
    ]) {
      expect(one(analyze(makeState({ ...shape, client })), BIND).flags).toEqual(['client-limited']);
    }
    const most = { cpuShare: 0.85, waitShare: 0.1, loopDelayP99Us: 20_000, gcSeconds: 0.5 };
    expect(one(analyze(makeState({ ...shape, client: most })), BIND).flags).toEqual([]);
    // Eight connections at 50 a second: a median of about 160 ms hides 80 ms of delay.
    const slow = { outcomes: { [BIND]: [50, 50, 50] }, client: { loopDelayP99Us: 80_000 } };
    expect(one(analyze(makeState({ ...shape, ...slow })), BIND).flags).toEqual([]);
  });

  it('flags nothing that was not measured', () => {
    const state = makeState({
      ...shape,
      outcomes: { [BIND]: ['LOAD_FAILED', 'LOAD_FAILED', 'LOAD_FAILED'] },
      flushUs: { [BIND]: 3 },
      client: { cpuShare: 0.99 },
    });
    expect(one(analyze(state), BIND).flags).toEqual([]);
  });
});
