import { describe, expect, it, vi } from 'vitest';
import type { DatabaseChange, DatabaseOverride } from '../../../../src/shared/model/database.ts';
import { makePlan } from '../../builders.ts';

vi.hoisted(() => vi.stubGlobal('__APP_VERSION__', '1.2.3'));
const { chooseOverride, requireMeasured } = await import('../../../../src/cli/commands/setup.ts');

const RELAXED: DatabaseChange = { factor: 'server', level: 'relaxed-flush' };
const VOLUME: DatabaseChange = { factor: 'storage', level: 'named-volume' };

function override(change: DatabaseChange): DatabaseOverride {
  const gain = { value: 1.5, low: 1.4, high: 1.6 };
  return { change, gain, file: '', text: '', lines: [], moves: { there: [], back: [] }, notes: [] };
}

describe('the change that is written', () => {
  it('is the best that loses nothing, unless another change is wanted', () => {
    const found = { overrides: [override(RELAXED), override(VOLUME)], without: [] };
    expect(chooseOverride(found, undefined)?.change).toEqual(VOLUME);
    expect(chooseOverride(found, RELAXED)?.change).toEqual(RELAXED);
    expect(chooseOverride({ overrides: [override(RELAXED)], without: [] }, undefined)).toBeUndefined();
  });

  it('is only of a change that the plan measures', () => {
    const plan = makePlan();
    expect(() => requireMeasured({ factor: 'storage', level: 'bind-mount' }, plan)).not.toThrow();
    for (const level of ['named-volume', 'nfs']) {
      expect(() => requireMeasured({ factor: 'storage', level }, plan)).toThrow(
        expect.objectContaining({
          code: 'USAGE',
          hint: expect.stringContaining('storage.bind-mount') as string,
        }) as Error,
      );
    }
  });
});
