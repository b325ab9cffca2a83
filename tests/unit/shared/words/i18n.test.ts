import { describe, expect, it } from 'vitest';
import { createTranslator, type TextKey } from '../../../../src/shared/words/i18n.ts';
import { LANGUAGES } from '../../../../src/shared/model/settings.ts';

describe('createTranslator', () => {
  const t = createTranslator('en');

  it('fills places and chooses the plural', () => {
    expect(t('messages:rounds', { count: 1 })).toBe('1 round');
    expect(t('messages:rounds', { count: 5 })).toBe('5 rounds');
    expect(t('report:effect.speed', { size: '2.1×' })).toBe('2.1× as fast');
  });

  it('does not compile with a key that does not exist', () => {
    // @ts-expect-error the name is misspelt
    const wrong: TextKey = 'messages:verdict.slow';
    expect(t(wrong)).not.toBe('slower');
  });

  it('is made once for a language', () => {
    for (const language of LANGUAGES) expect(createTranslator(language)).toBe(createTranslator(language));
  });
});
