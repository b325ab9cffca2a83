import { it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { ErrorCode } from '../../../../src/shared/errors.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { keepText } from '../../../../src/shared/words/advice-wording.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { headlineLines, verdictLabel } from '../../../../src/shared/words/wording.ts';
import { makeState } from '../../builders.ts';
import { expectShown } from '../../../helpers/shown.ts';
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

function said(state: RunState): string[] {
  const analysis = analyze(state);
  return [
    keepText(analysis, t) ?? '',
    ...headlineLines(analysis, t).map(({ detail }) => detail),
    ...[BASE, BIND].map((id) => verdictLabel(one(analysis, id), t)),
  ];
}

it('a storage type that no server started on is named with its reason', async () => {
  const later = withoutStart('SERVER_EXITED');
  const [facts = null] = Object.values(later.servers).flatMap((server) => server.facts ?? []);
  for (const server of Object.values(later.servers)) server.facts ??= facts;
  await expectShown('never-started', {
    'an owner that the storage refuses': said(withoutStart('DATADIR_OWNERSHIP')),
    'an engine that refuses the storage': said(withoutStart('STORAGE_REFUSED')),
    'a server that exits': said(withoutStart('SERVER_EXITED')),
    'the baseline': said(withoutStart('DATADIR_OWNERSHIP', { baselineFails: true })),
    'no start at all ended the trials: not said': said(withoutStart('ENGINE_LOST')),
    'it started, and failed later: not said': said(later),
  });
});
