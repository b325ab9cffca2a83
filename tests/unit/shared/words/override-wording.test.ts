import { it } from 'vitest';
import { msg } from '../../../../src/shared/message.ts';
import type { DatabaseChange } from '../../../../src/shared/model/database.ts';
import { LANGUAGES } from '../../../../src/shared/model/settings.ts';
import { createTranslator, type Translate } from '../../../../src/shared/words/i18n.ts';
import { changeName, openChangesText, withoutTexts } from '../../../../src/shared/words/override-wording.ts';
import { expectShown } from '../../../helpers/shown.ts';

it('names changes, says once which are inconclusive, and of each other why it isn’t offered', async () => {
  const because = (level: string, reason: 'inconclusive' | 'notFaster') => ({
    change: { factor: 'storage' as const, level },
    reason: msg(`override.refused.${reason}`),
  });
  const without = [
    because('named-volume', 'inconclusive'),
    because('tmpfs', 'notFaster'),
    because('bind-mount', 'inconclusive'),
  ];
  const said = (of: (t: Translate) => string[]): string[] =>
    LANGUAGES.flatMap((one) => of(createTranslator(one)));
  const named = (change: DatabaseChange): string[] => said((t) => [changeName(change, t)]);
  await expectShown('changes', {
    storage: named({ factor: 'storage', level: 'anonymous-volume' }),
    network: named({ factor: 'path', level: 'published-port' }),
    server: named({ factor: 'server', level: 'relaxed-flush' }),
    'two are inconclusive': said((t) => [openChangesText({ overrides: [], without }, t) ?? 'nothing']),
    'none is': said((t) => [
      openChangesText({ overrides: [], without: without.slice(1, 2) }, t) ?? 'nothing',
    ]),
    'why another isn’t offered': said((t) => withoutTexts({ overrides: [], without }, t)),
  });
});
