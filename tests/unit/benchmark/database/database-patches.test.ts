import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { patchesOf } from '../../../../src/benchmark/database/database-patches.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { msg } from '../../../../src/shared/message.ts';
import type { Effect } from '../../../../src/shared/model/analysis.ts';
import {
  type DatabaseChange,
  databasePatchesSchema,
  type DatabaseReference,
} from '../../../../src/shared/model/database.ts';
import { makeState, type ScenarioShape, type StateShape, type TrialOutcome } from '../../builders.ts';
import { newFolder } from '../../../helpers/folders.ts';

let folder = '';
beforeEach(() => (folder = newFolder()));

const TEXT = `services:
  db:
    image: mysql:8.4
    environment:
      MYSQL_ROOT_PASSWORD: canary-in-environment
      # MYSQL_PASSWORD: canary-in-comment
    mem_limit: 1g
    ports: ["3306:3306"]
    volumes: ["./data:/var/lib/mysql"]
`;

const SERVERS = Object.fromEntries(
  ['without-limits', 'relaxed-flush', 'no-binary-log', 'large-pool', 'together'].map((id) => [
    id,
    { name: id, image: {} },
  ]),
);
const OWN: ScenarioShape = { storage: 'bind-mount', path: 'published-port', server: 'main' };

const SCENARIOS: ScenarioShape[] = [
  OWN,
  { ...OWN, storage: 'named-volume' },
  { ...OWN, storage: 'tmpfs' },
  { ...OWN, path: 'host-network' },
  { ...OWN, path: 'user-bridge' },
  { ...OWN, server: 'without-limits' },
  { ...OWN, server: 'relaxed-flush' },
  { ...OWN, server: 'no-binary-log' },
  { ...OWN, server: 'large-pool' },
];

const steady = (tps: number): TrialOutcome[] => [tps, tps * 1.01, tps * 0.99, tps, tps * 1.005];
const noisy: TrialOutcome[] = [500, 1500, 700, 1400, 480];

/** Of the setup's alternatives, each against 1,000 transactions per second. */
async function patches(
  rates: Record<string, TrialOutcome[]>,
  database: Partial<DatabaseReference> = {},
  shape: StateShape = {},
  change: (effect: Effect) => Effect = (effect) => effect,
  named?: DatabaseChange,
) {
  const { service = 'db' } = database;
  const file = join(folder, 'compose.yaml');
  await writeFile(file, TEXT.replace('  db:', `  ${service === 'database' ? 'db' : service}:`));
  const source = { kind: 'compose' as const, files: [file], project: 'shop' };
  const reference = { source, service: 'db', ...database };
  const outcomes = Object.fromEntries(
    (shape.scenarios ?? SCENARIOS).map(({ server = '', storage, path }) => {
      const id = `${server}.${storage}.${path}`;
      const [, found] = Object.entries(rates).find(([level]) => id.split('.').includes(level)) ?? [];
      return [id, found ?? steady(1000)];
    }),
  );
  const state = makeState({
    scenarios: SCENARIOS,
    servers: { main: { name: 'main', image: {} }, ...SERVERS },
    outcomes,
    aaCheck: false,
    userDatabase: reference,
    ...shape,
  });
  const { effects, scenarios } = analyze(state);
  return patchesOf(state, { effects: effects.map(change), scenarios }, named);
}

describe('patchesOf', () => {
  it('has none where the image brings options that were not measured', async () => {
    const own = msg('compose.ownStart', { official: 'mariadb:11.8' });
    const message = msg('compose.at', { file: 'compose.yaml', line: 3, reason: own });
    const notices = [{ code: 'DATABASE_READ', message }];
    const rates = { 'host-network': steady(1600), 'relaxed-flush': steady(3000), tmpfs: steady(900) };
    const found = await patches(rates, {}, { notices });
    expect(found.patches).toEqual([]);
    const codes = found.without.map(({ change, reason }) => [change.level, reason.code]);
    expect(codes).toContainEqual(['host-network', 'databasePatch.refused.ownOptions']);
    expect(codes).toContainEqual(['relaxed-flush', 'databasePatch.refused.ownOptions']);
    expect(codes).toContainEqual(['tmpfs', 'databasePatch.refused.notFaster']);
  });

  it('puts first what gains most and loses nothing', async () => {
    const found = await patches({
      'named-volume': steady(1300),
      'host-network': steady(1600),
      'without-limits': steady(1500),
      'relaxed-flush': steady(3000),
      'no-binary-log': steady(2000),
    });
    expect(databasePatchesSchema.parse(found)).toEqual(found);
    expect(found.patches.map(({ change }) => change.level)).toEqual([
      ...['host-network', 'without-limits', 'named-volume', 'relaxed-flush', 'no-binary-log'],
    ]);
    expect(JSON.stringify(found)).not.toContain('canary');
    const [first] = found.patches;
    expect(first?.gain.value).toBeCloseTo(1.6, 2);
    expect(first?.gain.low).toBeGreaterThan(1.5);
    const codes = Object.fromEntries(found.without.map(({ change, reason }) => [change.level, reason.code]));
    expect(codes).toEqual({
      'large-pool': 'databasePatch.refused.notFaster',
      tmpfs: 'databasePatch.refused.notFaster',
      'user-bridge': 'databasePatch.refused.notFaster',
    });
  });

  it('has none for what is slower, inconclusive, loses data, or is no change of the file', async () => {
    const found = await patches({
      'named-volume': steady(700),
      tmpfs: steady(3000),
      'user-bridge': steady(1800),
      'without-limits': noisy,
    });
    expect(found.patches).toEqual([]);
    const codes = Object.fromEntries(found.without.map(({ change, reason }) => [change.level, reason.code]));
    expect(codes).toMatchObject({
      'named-volume': 'databasePatch.refused.notFaster',
      tmpfs: 'databasePatch.refused.memory',
      'user-bridge': 'databasePatch.refused.clientMoves',
      'without-limits': 'databasePatch.refused.inconclusive',
    });
  });

  it('has one that keeps the data in memory for a test database, or if the user names it', async () => {
    const rates = { 'named-volume': steady(1300), tmpfs: steady(3000) };
    const levels = async (service: string, named?: DatabaseChange): Promise<string[]> => {
      const found = await patches(rates, { service }, {}, undefined, named);
      return found.patches.map((one) => one.change.level);
    };
    expect(await levels('db', { factor: 'storage', level: 'tmpfs' })).toEqual(['tmpfs', 'named-volume']);
    for (const service of ['db-test', 'test_db', 'mysqltest', 'testdb', 'tests'])
      expect(await levels(service), service).toEqual(['tmpfs', 'named-volume']);
    for (const service of ['latest', 'contest-db', 'attestation'])
      expect(await levels(service), service).toEqual(['named-volume']);
  });

  it('gives the pool and the redo log the sizes that the server had', async () => {
    const [patch] = (await patches({ 'large-pool': steady(1500) })).patches;
    const added = patch?.diff.split('\n').filter((line) => line.startsWith('+ '));
    expect(added?.join()).toMatch(/--innodb-buffer-pool-size=256M --innodb-redo-log-capacity=256M/);
  });

  const POOL = 'server.large-pool';
  const combined = (rates: Parameters<typeof patches>[0]) => {
    const together = { factor: 'together' as const, level: `storage.named-volume+${POOL}` };
    return patches(
      rates,
      { together },
      { scenarios: [OWN, { ...OWN, storage: 'named-volume', server: 'together' }] },
    );
  };

  it('has one patch of all changes that were measured together', async () => {
    const found = await combined({ together: steady(1700) });
    expect(found.patches).toHaveLength(1);
    const [patch] = found.patches;
    expect(patch?.gain.value).toBeCloseTo(1.7, 2);
    expect(patch?.diff).toMatch(/^\+.*db-data:\/var\/lib\/mysql/m);
    expect(patch?.diff).toMatch(/^\+.*--innodb-buffer-pool-size/m);
    expect(patch?.moves.there.join()).toContain('together.patch');
  });

  it('has none of changes that gain nothing together', async () => {
    const { patches: none, without } = await combined({ together: steady(990) });
    expect(none).toEqual([]);
    expect(without.map(({ reason }) => reason.code)).toEqual(['databasePatch.refused.notFaster']);
  });

  it('takes what was measured at the database’s own level where an effect depends on another factor', async () => {
    const found = await patches({ 'named-volume': steady(1500) }, {}, {}, (effect) => {
      const { scenarioId = '' } = effect.pairs[0] ?? {};
      const at = (level: string, verdict: Effect['verdict']): Effect['at'][number] => ({
        ...{ level, scenarioId, verdict },
        ratio: effect.ratio,
      });
      return { ...effect, dependsOn: 'server', at: [at('other', 'faster'), at('main', 'same')] };
    });
    expect(found.patches).toEqual([]);
    expect(found.without.find(({ change }) => change.level === 'named-volume')?.reason.code).toBe(
      'databasePatch.refused.notFaster',
    );
  });

  it('gives a container without Compose files reasons only', async () => {
    const source = { kind: 'container' as const, id: 'c1', name: 'shop-db', files: [], project: null };
    const found = await patches({ 'named-volume': steady(1500) }, { source });
    expect(found.patches).toEqual([]);
    expect(found.without.find(({ change }) => change.level === 'named-volume')?.reason).toMatchObject({
      code: 'databasePatch.refused.noFiles',
      params: { name: 'db' },
    });
  });

  it('rejects if the service is gone', async () => {
    const gone = patches({ 'named-volume': steady(1500) }, { service: 'database' });
    await expect(gone).rejects.toMatchObject({ code: 'DATABASE_REFUSED' });
  });

  it('has no host network where the engine runs in a VM', async () => {
    const found = await patches({ 'host-network': steady(1500) }, {}, { runtime: { vm: true } });
    expect(found.without.find(({ change }) => change.level === 'host-network')?.reason.code).toBe(
      'databasePatch.refused.vm',
    );
  });

  it('is empty for a run of anything else', async () => {
    const state = makeState();
    expect(await patchesOf(state, analyze(state))).toEqual({ patches: [], without: [] });
  });
});
