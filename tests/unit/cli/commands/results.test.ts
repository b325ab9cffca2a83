import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { analyzeResult, compareResults } from '../../../../src/cli/commands/results.ts';
import { changeConditions, levelConditions } from '../../../../src/cli/conditions.ts';

const SAMPLE = 'tests/fixtures/results/sample-result.json';

describe('commands with --fail-if', () => {
  beforeEach(() => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('end with the code of the conditions', async () => {
    const failIf = levelConditions('storage.container-layer>1.3', levelConditions('storage.bind-mount>1.3'));
    expect(await analyzeResult(SAMPLE, { failIf })).toBe(6);
    expect(await compareResults([SAMPLE, SAMPLE], { failIf: changeConditions('slower>1.3') })).toBe(0);
  });

  it('refuse a level that the result does not compare', async () => {
    const ending = analyzeResult(SAMPLE, { failIf: levelConditions('storage.tmpfs>1') });
    await expect(ending).rejects.toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining('bind-mount') as string,
    });
  });
});
