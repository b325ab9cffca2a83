import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DatabaseChange, DatabaseOverride } from '../../../../src/shared/model/database.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { makePlan } from '../../builders.ts';

vi.hoisted(() => vi.stubGlobal('__APP_VERSION__', '1.2.3'));
vi.mock('../../../../src/cli/run/runtime.ts', () => ({
  findRuntime: () => Promise.reject(new BenchmarkError('NO_ENGINE')),
  engineFinder: () => undefined,
}));
const { chooseOverride, ownDatabase, requireMeasured } =
  await import('../../../../src/cli/commands/setup.ts');

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

describe('a container without a file', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ['mysql:8.4', 0],
    ['bitnami/mariadb-galera:11', 2],
  ])('of %s is shown, and ends with %i', async (image, code) => {
    let out = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
    expect(await ownDatabase([], { image, tmpfs: ['/var/lib/mysql'], json: true })).toBe(code);
    expect(JSON.parse(out)).toMatchObject({ services: [{ image, path: { kind: 'published-port' } }] });
  });

  it('takes no change to write, which is said before anything is measured', async () => {
    const wanted = { image: 'mysql:8.4', env: ['A=b'], override: true as const };
    await expect(ownDatabase([], wanted)).rejects.toMatchObject({
      code: 'USAGE',
      hint: 'To measure only: --run.',
    });
  });

  it('needs an image, and no file', async () => {
    const refused = { code: 'USAGE' };
    await expect(ownDatabase([], { env: ['A=b'] })).rejects.toMatchObject(refused);
    await expect(ownDatabase(['compose.yaml'], { image: 'mysql', env: ['A=b'] })).rejects.toMatchObject(
      refused,
    );
  });
});
