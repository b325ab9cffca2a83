import { expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { StartPart } from '../../../../src/shared/model/evidence.ts';
import type { HealthCheck } from '../../../../src/shared/model/task.ts';
import { firstStartSentences } from '../../../../src/shared/words/first-start-wording.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { makeEvidence, makeState } from '../../builders.ts';

/** A database's starts: two first ones of 90 and 94 s, and two on its data of 3 s. */
function said(healthCheck: HealthCheck | null, language: 'en' | 'zh-CN' = 'en'): string[] {
  const state = makeState({
    scenarios: [
      { storage: 'named-volume', path: 'published-port', options: { starts: 'empty' } },
      { storage: 'bind-mount', path: 'published-port' },
    ],
    aaCheck: false,
    rounds: 2,
  });
  const start: Partial<Record<StartPart, number>> = {
    initialization: 12_000,
    shellScripts: 2000,
    sqlFiles: 71_000,
  };
  const trials = state.trials.map((trial) => {
    const { totals, scenarioId, round } = trial;
    if (totals === null) throw new Error('a trial without numbers');
    const isFirst = scenarioId === state.plan.baselineId;
    const ms = isFirst ? 86_000 + 4000 * round : 3000;
    return {
      ...trial,
      totals: { ...totals, durationMs: ms },
      evidence: {
        ...makeEvidence({}),
        ...(isFirst
          ? {
              start,
              initScripts: [
                { name: 'roles.sh', ms: 2000 },
                { name: 'dump.sql.gz', ms: 71_000 },
              ],
            }
          : {}),
      },
    };
  });
  const { plan } = state;
  const source = { kind: 'compose' as const, files: ['/srv/compose.yaml'], project: 'shop' };
  const run = {
    ...state,
    plan: {
      ...plan,
      task: { kind: 'ready' as const, ownStart: { bytes: 1, healthCheck } },
      database: { source, service: 'db' },
    },
    trials,
  };
  return firstStartSentences(analyze(run), createTranslator(language));
}

const CHECK = { intervalSeconds: 5, retries: 10, startPeriodSeconds: 0, isFooled: false };

it('says what takes the time of a first start, what its data saves, and what the health check needs', () => {
  const [most, saves, check, ...more] = said(CHECK);
  expect(most).toBe(
    'A first start takes 1 min 32 s. Most of it: dump.sql.gz 1 min 11 s, initialization 12 s.',
  );
  expect(saves).toBe('Bind mount takes 3 s: 1 min 29 s less.');
  expect(check).toBe(
    'Your health check gives up after 50 s. It needs start_period: 150s and retries: 10, because the slowest of 2 first starts took 1 min 34 s, and half of that is the margin.',
  );
  expect(more).toEqual([]);
  expect(said({ ...CHECK, startPeriodSeconds: 300 })[2]).toMatch(
    /^Your health check waits for 5 min 50 s\. That is enough/,
  );
  expect(said(null)[2]).toMatch(/^Your service has no health check\. .*start_period: 150s and retries: 3/);
  expect(said({ ...CHECK, isFooled: true })[3]).toMatch(/socket.*127\.0\.0\.1/);
});
