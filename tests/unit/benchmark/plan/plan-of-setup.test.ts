import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prepareSetup } from '../../../../src/benchmark/plan/plan-of-setup.ts';
import {
  createBindDirectory,
  removeBindDirectory,
} from '../../../../src/benchmark/target/storage/bind-directory.ts';
import { SETUP_ROOT } from '../../../../src/benchmark/target/storage/bind-roots.ts';
import { msg } from '../../../../src/shared/message.ts';
import { presetOfPlan } from '../../../../src/shared/preset/preset-of-plan.ts';
import type { Plan } from '../../../../src/shared/model/plan.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { planned } from '../../planned.ts';
import { makeSetup, storageOf } from '../../setup-builder.ts';

async function project(): Promise<{ data: string; dataDir: string; shop: string }> {
  const root = await mkdtemp(join(tmpdir(), 'whalemark-own-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [shop, dataDir] = [join(root, 'shop'), join(root, 'home')];
  await mkdir(join(shop, 'data'), { recursive: true });
  await mkdir(dataDir);
  return { shop, data: join(shop, 'data'), dataDir };
}

function engine(): FakeRuntime {
  const runtime = new FakeRuntime();
  runtime.addImage('mysql:8.4', { env: { MYSQL_VERSION: '8.4.6' } });
  return runtime;
}

async function planOf(setup: ReturnType<typeof makeSetup>, dataDir: string): Promise<Plan> {
  const runtime = engine();
  const { preset, complete } = await prepareSetup(setup, 'db', runtime, dataDir);
  return complete(await planned(preset, runtime, { dataDir }));
}

describe('the plan of a setup', () => {
  it('measures a bind mount next to the user’s folder, once that is confirmed', async () => {
    const { shop, data, dataDir } = await project();
    const plan = await planOf(makeSetup({ storage: storageOf('bind-mount', { place: data }) }), dataDir);
    expect(plan.bindRoot).toBe(join(shop, SETUP_ROOT));
    expect(plan.consents.map(({ consent }) => consent)).toEqual(['setup-folder']);
    expect(plan.setup).toEqual({
      source: { kind: 'compose', files: ['/srv/shop/compose.yaml'], project: 'shop' },
      service: 'db',
    });
    expect(plan.baselineId).toBe('bind-mount.published-port');
    expect(await readdir(shop)).toEqual(['data']);
  });

  it('measures in Whalemark’s folder where the user’s has none next to it, and says so', async () => {
    const { data, dataDir } = await project();
    // A folder of the user's that has the name.
    await mkdir(join(data, '..', SETUP_ROOT, 'mine'), { recursive: true });
    const beside = await planOf(makeSetup({ storage: storageOf('bind-mount', { place: data }) }), dataDir);
    // On the same disk there is nothing to say.
    expect([beside.bindRoot, beside.consents, beside.notices]).toEqual([null, [], []]);
    const missing = await planOf(
      makeSetup({ storage: storageOf('bind-mount', { place: '/nowhere/at/all/data' }) }),
      dataDir,
    );
    expect(missing.bindRoot).toBeNull();
    expect(
      missing.notices.map(({ code, message }) => [code, (message.params['reason'] as { code: string }).code]),
    ).toEqual([['SETUP_FOLDER', 'mySetup.folderMissing']]);
  });

  it('asks before it uses the user’s own export or device', async () => {
    const { dataDir } = await project();
    const nfs = { address: 'nas.lan', path: '/export', version: '4.2' as const, soft: false, lock: true };
    const setup = makeSetup({ storage: storageOf('nfs', { spec: { kind: 'nfs', nfs } }) });
    const { consents } = await planOf(setup, dataDir);
    expect(consents.map(({ consent, message }) => [consent, message.code])).toEqual([
      ['setup-folder', 'consent.setupDevice'],
    ]);
  });

  it('names a running container and every warning', async () => {
    const { dataDir } = await project();
    const { notices } = await planOf(
      makeSetup({
        storage: storageOf('named-volume'),
        container: { id: 'c1', running: true },
        warnings: [msg('mySetup.script')],
      }),
      dataDir,
    );
    expect(notices.map(({ code }) => code)).toEqual(['SETUP_RUNNING', 'SETUP_READ']);
  });

  it('has the limits of the setup in every server but the one without', async () => {
    const { dataDir } = await project();
    const limits = { cpus: 1, memoryMiB: 1024 };
    const plan = await planOf(makeSetup({ storage: storageOf('named-volume'), limits }), dataDir);
    const { setups } = plan;
    expect(Object.fromEntries(setups.map(({ id, limits: own }) => [id, own]))).toEqual({
      default: limits,
      'without-limits': { cpus: null, memoryMiB: null },
      'relaxed-flush': limits,
      'without-binlog': limits,
    });
    // As the run is repeated from its plan.
    const again = presetOfPlan(plan)?.preset;
    if (again === undefined) throw new Error('it can be repeated');
    expect((await planned(again, engine(), { dataDir })).setups).toEqual(setups);
  });

  it('is refused until a built image is there, with the command that builds it', async () => {
    const { dataDir } = await project();
    const setup = makeSetup({ storage: storageOf('named-volume'), image: 'shop-db', built: true });
    await expect(planOf(setup, dataDir)).rejects.toMatchObject({
      code: 'SETUP_REFUSED',
      evidence: [{ code: 'mySetup.notBuilt', params: { command: 'docker compose build db' } }],
    });
  });

  it('is refused with a limit of more CPUs than the engine has, and not with as many', async () => {
    const { dataDir } = await project();
    const { cpus } = engine().passport.runtime;
    const limited = (count: number) =>
      planOf(
        makeSetup({ storage: storageOf('named-volume'), limits: { cpus: count, memoryMiB: null } }),
        dataDir,
      );
    await expect(limited(cpus + 0.5)).rejects.toMatchObject({
      code: 'SETUP_REFUSED',
      evidence: [{ code: 'mySetup.cpus', params: { wanted: cpus + 0.5, cpus } }],
    });
    expect((await limited(cpus)).setups[0]?.limits.cpus).toBe(cpus);
  });

  it('leaves nothing next to the user’s folder', async () => {
    const { shop, dataDir } = await project();
    const mark = { owner: 'me', runId: 'run' };
    const { directory } = await createBindDirectory(
      join(shop, SETUP_ROOT),
      'whalemark-run-s1',
      mark,
      dataDir,
    );
    expect((await readdir(shop)).sort()).toEqual(['data', SETUP_ROOT]);
    await removeBindDirectory(directory, () => Promise.resolve());
    expect(await readdir(shop)).toEqual(['data']);
  });
});
