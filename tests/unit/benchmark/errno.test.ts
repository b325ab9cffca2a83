import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { errnoOf, isMissing } from '../../../src/benchmark/files/failures.ts';

describe('the code of an error', () => {
  it('is what the system says', async () => {
    const error: unknown = await readFile(import.meta.dirname).catch((thrown: unknown) => thrown);
    expect(errnoOf(error)).toBe('EISDIR');
    expect(isMissing(error)).toBe(false);
  });

  it.each([
    ['of a file that is not there', `${import.meta.filename}.none`, 'ENOENT'],
    ['of a file below a file', `${import.meta.filename}/below`, 'ENOTDIR'],
  ])('%s says that it is missing', async (_, path, code) => {
    const error: unknown = await readFile(path).catch((thrown: unknown) => thrown);
    expect(errnoOf(error)).toBe(code);
    expect(isMissing(error)).toBe(true);
  });

  it.each([
    new Error('of nobody'),
    Object.assign(new Error('a number'), { code: 2 }),
    'ENOENT',
    null,
    undefined,
  ])('is none for %o', (thrown) => {
    expect(errnoOf(thrown)).toBeUndefined();
    expect(isMissing(thrown)).toBe(false);
  });
});
