import { expect, it } from 'vitest';
import { ENGLISH, type TextKey } from '../../../../src/shared/words/i18n.ts';

it('a key that does not exist does not compile', () => {
  // @ts-expect-error the name is misspelt
  const wrong: TextKey = 'messages:verdict.slow';
  expect(ENGLISH(wrong)).not.toBe('slower');
});
