import { it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { StartPart } from '../../../../src/shared/model/evidence.ts';
import type { HealthCheck } from '../../../../src/shared/model/task.ts';
import { LANGUAGES } from '../../../../src/shared/model/settings.ts';
import { firstStartSentences } from '../../../../src/shared/words/first-start-wording.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { expectShown } from '../../../helpers/shown.ts';
import { makeEvidence, makeState } from '../../builders.ts';

/** A database's starts: two first ones of 90 and 94 s, and two on its data of 3 s. */
function said(healthCheck: HealthCheck | null): string[] {
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
  const analysis = analyze(run);
  return LANGUAGES.flatMap((one) => firstStartSentences(analysis, createTranslator(one)));
}

const CHECK = { intervalSeconds: 5, retries: 10, startPeriodSeconds: 0, isFooled: false };

it('says what takes the time of a first start, what its data saves, and what the health check needs', async () => {
  await expectShown('first-starts', {
    'a check that gives up too early': said(CHECK),
    'a check that waits long enough': said({ ...CHECK, startPeriodSeconds: 300 }),
    'no check': said(null),
    'a check that the server of the scripts passes': said({ ...CHECK, isFooled: true }),
  });
});
