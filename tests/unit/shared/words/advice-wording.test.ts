import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { ErrorCode } from '../../../../src/shared/errors.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { keepText } from '../../../../src/shared/words/advice-wording.ts';
import { createTranslator, errorText } from '../../../../src/shared/words/i18n.ts';
import { headlineLines, verdictLabel } from '../../../../src/shared/words/wording.ts';
import { makeState } from '../../builders.ts';
import { BASE, BIND, one, TWO } from '../analysis/analysis-helpers.ts';

const t = createTranslator('en');

/** Two storage types; no server started on the second. */
function withoutStart(code: ErrorCode, more: { baselineFails?: boolean } = {}): RunState {
  const failing = more.baselineFails === true ? BASE : BIND;
  const state = makeState({
    scenarios: TWO,
    aaCheck: false,
    rounds: 4,
    outcomes: {
      [BASE]: [500, 505, 495, 500],
      [BIND]: [500, 505, 495, 500],
      [failing]: [code, code, code, code],
    },
  });
  const serverId = state.plan.scenarios.find(({ id }) => id === failing)?.serverId ?? '';
  const server = state.servers[serverId];
  if (server !== undefined) server.facts = null;
  return state;
}

function errorOf(state: RunState): { message: string; hint: string } {
  const error = state.trials.find(({ status }) => status === 'failed')?.error;
  if (!error) throw new Error('no failed trial');
  return errorText(error, t);
}

describe('a storage type that no server started on', () => {
  it.each([
    ['DATADIR_OWNERSHIP', 'refused', false],
    ['STORAGE_REFUSED', 'refused', false],
    ['SERVER_EXITED', 'notStarted', false],
    ['DATADIR_OWNERSHIP', 'refused', true],
  ] as const)('with %s is named with its reason', (code, key, baselineFails) => {
    const state = withoutStart(code, { baselineFails });
    const analysis = analyze(state);
    const list = t(`messages:storage.${baselineFails ? 'named-volume' : 'bind-mount'}`);
    const { message: reason, hint } = errorOf(state);
    const said = t(`report:advice.keep.${key}`, { list, reason: reason.replace(/[^.]$/, '$&.') });
    expect(keepText(analysis, t)).toBe(key === 'refused' ? `${said} ${hint}` : said);
    expect(headlineLines(analysis, t).map(({ detail }) => detail)).toEqual([said]);
    expect(verdictLabel(one(analysis, baselineFails ? BASE : BIND), t)).toBe(
      t('messages:verdict.notStarted', { reason }),
    );
  });

  it.each([
    ['what ended the trials was no start', 'ENGINE_LOST', true],
    ['it started, and failed later', 'SERVER_EXITED', false],
  ] as const)('is not what is said where %s', (_, code, hasNoFacts) => {
    const state = withoutStart(code);
    if (!hasNoFacts) {
      const [facts] = Object.values(state.servers).flatMap((server) => server.facts ?? []);
      for (const server of Object.values(state.servers)) server.facts ??= facts ?? null;
    }
    const analysis = analyze(state);
    expect(keepText(analysis, t)).toBe(t('report:advice.keep.unknown'));
    expect(verdictLabel(one(analysis, BIND), t)).toBe(t('messages:verdict.notMeasured'));
  });
});
