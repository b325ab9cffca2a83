import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asItAnswers } from '../../../../src/benchmark/database/as-it-answers.ts';
import { serviceOf } from '../../../../src/shared/compose/database-preset.ts';
import { prepareDatabase } from '../../../../src/benchmark/plan/plan-of-database.ts';
import {
  createBindDirectory,
  removeBindDirectory,
} from '../../../../src/benchmark/servers/storage/bind-directory.ts';
import { DATABASE_ROOT } from '../../../../src/benchmark/servers/storage/bind-roots.ts';
import { msg } from '../../../../src/shared/message.ts';
import { presetOfPlan } from '../../../../src/shared/preset/preset-of-plan.ts';
import type { Plan } from '../../../../src/shared/model/plan.ts';
import { mysqlEngine, planned } from '../../planned.ts';
import { makeDatabase, storageOf } from '../../database-builder.ts';
import { newFolder } from '../../../helpers/folders.ts';

async function project(): Promise<{ data: string; file: string; shop: string }> {
  const shop = join(newFolder(), 'shop');
  await mkdir(join(shop, 'data'), { recursive: true });
  const file = join(shop, 'compose.yaml');
  await writeFile(file, '');
  return { shop, data: join(shop, 'data'), file };
}

const VOLUME = { storage: storageOf('named-volume') };

async function planOf(database: ReturnType<typeof makeDatabase>, dataDir = newFolder()): Promise<Plan> {
  const runtime = mysqlEngine();
  const { preset, bindRoot, complete } = await prepareDatabase(
    database,
    await asItAnswers(serviceOf(database, 'db'), runtime),
    runtime,
    dataDir,
    {},
  );
  return complete(await planned(preset, runtime, { dataDir, bindRoot }));
}

describe('the plan of a setup', () => {
  it('measures a bind mount next to the Compose file, once that is confirmed, and leaves nothing there', async () => {
    const { shop, data, file } = await project();
    const storage = storageOf('bind-mount', { place: data });
    const plan = await planOf(makeDatabase({ storage }, { files: [file], project: 'shop' }));
    expect(plan.bindRoot).toBe(join(shop, DATABASE_ROOT));
    expect(plan.consents.map(({ consent }) => consent)).toEqual(['database-folder']);
    expect(plan.database).toEqual({
      source: { kind: 'compose', files: [file], project: 'shop' },
      service: 'db',
    });
    expect(plan.baselineId).toBe('bind-mount.published-port');
    const mark = { owner: 'me', runId: 'run' };
    const { directory } = await createBindDirectory(plan.bindRoot ?? '', 'whalemark-run-s1', mark);
    await removeBindDirectory(directory, () => Promise.resolve());
    expect((await readdir(shop)).sort()).toEqual(['compose.yaml', 'data']);
  });

  it.each<[string, string | undefined, string, string | undefined]>([
    ['that holds the user’s files of that name', undefined, 'shop', undefined],
    ['that is gone, but on the same disk', undefined, 'gone', undefined],
    ['on another disk', '/proc/self', 'shop', 'yourDatabase.otherDisk'],
    ['that is gone, on another disk', '/proc/self', 'gone', 'yourDatabase.otherDisk'],
  ])('measures in Whalemark’s folder, not in one %s', async (_, place, folder, reason) => {
    const { shop, data, file } = await project();
    await mkdir(join(shop, DATABASE_ROOT, 'mine'), { recursive: true });
    const storage = storageOf('bind-mount', { place: place ?? data });
    const files = [folder === 'shop' ? file : join(shop, 'gone', 'compose.yaml')];
    const { bindRoot, consents, notices } = await planOf(makeDatabase({ storage }, { files }));
    expect([bindRoot, consents]).toEqual([null, []]);
    // A folder on the same disk needs no notice.
    expect(notices.map(({ message }) => (message.params['reason'] as { code: string }).code)).toEqual(
      reason === undefined ? [] : [reason],
    );
  });

  it('asks before it uses the user’s own export or device', async () => {
    const nfs = { address: 'nas.lan', path: '/export', version: '4.2' as const, soft: false, lock: true };
    const database = makeDatabase({ storage: storageOf('nfs', { spec: { kind: 'nfs', nfs } }) });
    const { consents } = await planOf(database);
    expect(consents.map(({ consent, message }) => [consent, message.code])).toEqual([
      ['database-folder', 'consent.databaseDevice'],
    ]);
  });

  it('names a running container and every warning', async () => {
    const container = { id: 'c1', running: true };
    const { notices } = await planOf(
      makeDatabase({ ...VOLUME, container, warnings: [msg('compose.otherProgram')] }),
    );
    expect(notices.map(({ code }) => code)).toEqual(['DATABASE_RUNNING', 'DATABASE_READ']);
  });

  it('has the limits of the database in every server but the one without', async () => {
    const limits = { cpus: 1, memoryMiB: 1024 };
    const dataDir = newFolder();
    const plan = await planOf(makeDatabase({ ...VOLUME, limits }), dataDir);
    const { configs } = plan;
    expect(Object.fromEntries(configs.map(({ id, limits: own }) => [id, own]))).toEqual({
      default: limits,
      'without-limits': { cpus: null, memoryMiB: null },
      'relaxed-flush': limits,
      'no-binary-log': limits,
      'large-pool': limits,
    });
    // A repetition from the plan has the same.
    const again = presetOfPlan(plan)?.preset;
    if (again === undefined) throw new Error('it can be repeated');
    expect((await planned(again, mysqlEngine(), { dataDir })).configs).toEqual(configs);
  });

  it('is refused until a built image is there, with the command that builds it', async () => {
    const database = makeDatabase({ ...VOLUME, image: 'shop-db', built: true });
    await expect(planOf(database)).rejects.toMatchObject({
      code: 'DATABASE_REFUSED',
      evidence: [{ code: 'yourDatabase.notBuilt', params: { command: 'docker compose build db' } }],
    });
  });

  it.each([
    ['of an image that starts in its own way', false, true],
    ['before it is built', true, false],
  ])('is measured with the official image %s', async (_, built, isAlways) => {
    const official = { image: 'mysql:8.4', isAlways };
    const plan = await planOf(makeDatabase({ ...VOLUME, image: 'shop-db', built, official }));
    expect(plan.configs[0]?.image.requested).toBe(official.image);
    expect(plan.notices.some(({ code }) => code === 'DATABASE_READ')).toBe(!isAlways);
  });

  it('is refused with a limit of more CPUs than the engine has, and not with as many', async () => {
    const { cpus } = mysqlEngine().passport.runtime;
    const limited = (count: number) =>
      planOf(makeDatabase({ ...VOLUME, limits: { cpus: count, memoryMiB: null } }));
    await expect(limited(cpus + 0.5)).rejects.toMatchObject({
      code: 'DATABASE_REFUSED',
      evidence: [{ code: 'yourDatabase.cpus', params: { wanted: cpus + 0.5, cpus } }],
    });
    expect((await limited(cpus)).configs[0]?.limits.cpus).toBe(cpus);
  });
});
