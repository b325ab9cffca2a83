import { expect, it } from 'vitest';
import { slug } from '../../../../src/shared/model/preset-parts.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';

const WORDS = {
  en: [/lower-?case letters/i, /digits/, /dots/, /tildes/, /hyphens/, /begins? with|starting with/i],
  'zh-CN': [/小写字母/, /数字/, /点/, /波浪号/, /连字符/, /开头/],
};

it.each(['en', 'zh-CN'] as const)('what an id may be is said as it is checked: %s', (language) => {
  expect(slug.safeParse('a1.~-').success).toBe(true);
  for (const id of ['A', 'a_', 'a b', 'é', '-a', '.a', '~a']) expect(slug.safeParse(id).success).toBe(false);
  const t = createTranslator(language);
  const texts = [t('ui:wizard.review.idHint'), t('messages:field.id')];
  for (const text of texts) for (const word of WORDS[language]) expect(text).toMatch(word);
});
