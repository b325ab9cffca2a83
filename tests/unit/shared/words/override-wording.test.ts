import { expect, it } from 'vitest';
import { msg } from '../../../../src/shared/message.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { changeName, openChangesText, withoutTexts } from '../../../../src/shared/words/override-wording.ts';

const LANGUAGES = (['en', 'zh-CN'] as const).map((language) => createTranslator(language));

it.each([
  ['storage', 'anonymous-volume', 'anonymous volume', '匿名卷'],
  ['path', 'published-port', 'published port', '端口映射'],
  ['server', 'relaxed-flush', 'Relaxed flush', null],
] as const)('calls %s %s by its name, not its ID', (factor, level, english, chinese) => {
  const [en, zh] = LANGUAGES.map((t) => changeName({ factor, level }, t));
  expect(en).toBe(english);
  expect(zh).not.toContain(level);
  if (chinese !== null) expect(zh).toBe(chinese);
});

it('says once which changes are inconclusive, and of each other why it isn’t offered', () => {
  const because = (level: string, reason: 'inconclusive' | 'notFaster') => ({
    change: { factor: 'storage' as const, level },
    reason: msg(`override.refused.${reason}`),
  });
  const without = [
    because('named-volume', 'inconclusive'),
    because('tmpfs', 'notFaster'),
    because('bind-mount', 'inconclusive'),
  ];
  const [t] = LANGUAGES;
  if (t === undefined) throw new Error('no language');
  expect(openChangesText({ overrides: [], without }, t)).toBe(
    'Nothing to change yet: 2 changes are inconclusive (named volume, bind mount).',
  );
  expect(openChangesText({ overrides: [], without: without.slice(1, 2) }, t)).toBeUndefined();
  expect(withoutTexts({ overrides: [], without }, t)).toEqual(['Tmpfs: It wasn’t measured as faster.']);
});
