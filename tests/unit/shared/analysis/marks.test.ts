import { describe, expect, it } from 'vitest';
import { analyse } from '../../../../src/shared/analysis/analyse.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { markNotes, markSigns, verdictText } from '../../../../src/shared/words/wording.ts';
import { MARKS } from '../../../../src/shared/model/analysis.ts';
import { makeState, type StateShape } from '../../builders.ts';
import { BASE, BIND, TWO, one } from './analysis-helpers.ts';

const t = createTranslator('en');
const shape: StateShape = { scenarios: TWO, noiseFloor: false, rounds: 3 };
const serverOf = (scenarioId: string): string =>
  makeState(shape).plan.scenarios.find(({ id }) => id === scenarioId)?.serverId ?? '';
const flushing = (us: number) => analyse(makeState({ ...shape, flushUs: { [serverOf(BIND)]: us } }));

describe('marks of a scenario', () => {
  it('has none where flushes take their time and the client has a reserve', () => {
    const analysis = analyse(makeState(shape));
    expect(analysis.scenarios.map(({ marks }) => marks)).toEqual([[], []]);
    expect(markNotes(analysis, t)).toEqual([]);
  });

  it('marks a flush that no medium can confirm, of its own scenario only', () => {
    expect(one(flushing(3.4), BIND).marks).toEqual(['flush-in-cache']);
    expect(one(flushing(3.4), BASE).marks).toEqual([]);
    expect(one(flushing(15), BIND).marks).toEqual([]);
  });

  it('marks a client without reserve: by its processor, its event loop, or its garbage', () => {
    for (const client of [{ cpuShare: 0.86 }, { loopDelayP99Us: 80_000 }, { gcSeconds: 0.6 }]) {
      expect(one(analyse(makeState({ ...shape, client })), BIND).marks).toEqual(['client-bound']);
    }
    const most = { cpuShare: 0.85, loopDelayP99Us: 20_000, gcSeconds: 0.5 };
    expect(one(analyse(makeState({ ...shape, client: most })), BIND).marks).toEqual([]);
  });

  it('marks a client that was late for a fixed rate', () => {
    const state = makeState({ ...shape, rate: 100 });
    const late = (lateP99Us: number): string[] => {
      for (const { totals } of state.trials) {
        if (totals === null) throw new Error('not measured');
        totals.fixedRate = { perSecond: 100, arrivals: 500, mostWaiting: 0, lateP99Us };
      }
      return one(analyse(state), BIND).marks;
    };
    const medianUs = Math.min(...state.trials.map(({ totals }) => totals?.latency?.p50Us ?? NaN));
    expect(late(100)).toEqual([]);
    expect(late(0.4 * medianUs)).toEqual([]);
    expect(late(2 * medianUs)).toEqual(['client-bound']);
  });

  it('marks nothing that was not measured', () => {
    const outcomes = { [BIND]: ['LOAD_FAILED', 'LOAD_FAILED', 'LOAD_FAILED'] as const };
    const state = makeState({
      ...shape,
      outcomes: { [BIND]: [...outcomes[BIND]] },
      flushUs: { [serverOf(BIND)]: 3 },
      client: { cpuShare: 0.99 },
    });
    expect(one(analyse(state), BIND).marks).toEqual([]);
  });

  it('has a remark for every mark, and no remark without one', () => {
    const state = makeState({ ...shape, flushUs: { [serverOf(BIND)]: 3 }, client: { cpuShare: 0.99 } });
    const analysis = analyse(state);
    expect(one(analysis, BIND).marks).toEqual(MARKS);
    const codes = analysis.notices.filter(({ scenarioId }) => scenarioId === BIND).map(({ code }) => code);
    expect(codes).toEqual(['FLUSH_IN_CACHE', 'CLIENT_BOUND']);
  });

  it('leaves the verdict alone, and is said behind its sentence', () => {
    const analysis = flushing(3);
    expect(one(analysis, BIND).verdict).toBe(one(flushing(110), BIND).verdict);
    const label = t('report:mark.flush-in-cache');
    expect(verdictText(one(analysis, BIND), analysis, t).endsWith(`; ${label}`)).toBe(true);
    const text = t('report:mark.note', { label, meaning: t('report:mark.meaning.flush-in-cache') });
    expect(markNotes(analysis, t)).toEqual([{ mark: 'flush-in-cache', text }]);
    expect(markSigns(MARKS)).toBe('†‡');
  });
});
