import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { OwnTasks } from '../../../../src/benchmark/handlers/own-tasks.ts';
import { Plans } from '../../../../src/benchmark/handlers/plans.ts';
import { Databases } from '../../../../src/benchmark/handlers/databases.ts';
import { testWhalemark } from '../../whalemark.ts';
import { findDatabases } from '../../../../src/benchmark/database/container-databases.ts';
import { openDatabase } from '../../../../src/benchmark/database/open-database.ts';
import { overridesOf } from '../../../../src/benchmark/database/database-overrides.ts';
import { demoState } from '../../builders.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { plain } from '../../../helpers/messages.ts';
import { makeDatabase } from '../../database-builder.ts';

vi.mock('../../../../src/benchmark/database/container-databases.ts');
vi.mock('../../../../src/benchmark/database/open-database.ts');
vi.mock('../../../../src/benchmark/database/database-overrides.ts');

const database = makeDatabase();
const KEY = '/srv/shop/compose.yaml';
const reference = { source: database.source, service: 'db' };
const bindRoot = join(tmpdir(), 'whalemark-gone-since');
/** A consent that only the plan of a database asks for. */
const consents = [{ consent: 'swarm' as const, message: plain('It makes a folder next to yours.') }];

function handlers({ isFromFile = false } = {}) {
  const runtime = new FakeRuntime();
  runtime.addImage('mysql:8.4', { env: { MYSQL_VERSION: '8.4.5' } });
  const load = () => Promise.resolve(demoState({ userDatabase: reference, bindRoot, consents }));
  const fromFile = () => Promise.resolve(isFromFile);
  const runs = { load, continuable: () => Promise.resolve(demoState()) };
  const runtimes = {
    inUse: () => Promise.resolve(runtime),
    finder: () => () => Promise.resolve({ engines: [runtime] as const }),
  };
  const databases = new Databases({ runtimes, runs, isFromFile: fromFile });
  const plans = new Plans(testWhalemark(), {
    ...{ runtimes, databases, runs },
    ownTasks: new OwnTasks(() => undefined),
    isFromFile: fromFile,
  });
  return { databases, plans };
}

beforeEach(() => {
  vi.mocked(findDatabases).mockReset().mockResolvedValue([database]);
  vi.mocked(openDatabase).mockReset().mockResolvedValue(database);
  vi.mocked(overridesOf).mockReset().mockResolvedValue({ overrides: [], without: [] });
});

it('only what was found or opened in this session can be planned', async () => {
  const { plans, databases } = handlers();
  const asked = { presetId: 'your-database', mode: 'full' as const, database: { key: KEY, service: 'db' } };
  await expect(plans.handlers['plan:make'](asked)).rejects.toMatchObject({ code: 'USAGE' });
  expect(openDatabase).not.toHaveBeenCalled();
  await databases.handlers['databases:find']({});
  expect((await plans.handlers['plan:make'](asked)).database).toEqual(reference);
});

it('a Compose file is opened by the path that main got, with this machine’s environment', async () => {
  const { databases } = handlers();
  expect(await databases.handlers['databases:open']({ by: 'dialog', path: KEY })).toEqual(database);
  expect(openDatabase).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ target: KEY, environment: process.env }),
  );
  expect(databases.get(KEY)).toEqual(database);
});

it('a run of this machine has its changes, and a run that is repeated is still of its setup', async () => {
  const { databases, plans } = handlers();
  expect(await databases.handlers['databases:overrides']({ runId: 'r' })).toEqual({
    overrides: [],
    without: [],
  });
  const again = await plans.handlers['plan:repeat']({ runId: 'r' });
  expect(again.database).toEqual(reference);
  // Next to the user's folder, after the same confirmation.
  expect(again).toMatchObject({ bindRoot, consents });
});

it('what won is planned together, of the files read again', async () => {
  const { plans } = handlers();
  const together = { factor: 'together' as const, level: 'storage.named-volume+server.large-pool' };
  const plan = await plans.handlers['plan:repeat']({ runId: 'r', together });
  expect(plan.database).toEqual({ ...reference, together });
  expect(plan.scenarios.map(({ storage, server }) => [storage.kind, server])).toEqual([
    ['bind-mount', null],
    ['bind-mount', null],
    ['named-volume', 'together'],
  ]);
  const { settings } = plan.configs.find(({ server }) => server === 'together') ?? {};
  expect(settings?.bufferPoolMiB).toBeGreaterThan(128);
});

it('the files that a result from a file names are never read', async () => {
  const { databases, plans } = handlers({ isFromFile: true });
  await expect(databases.handlers['databases:overrides']({ runId: 'r' })).rejects.toMatchObject({
    code: 'DATABASE_ELSEWHERE',
  });
  expect(overridesOf).not.toHaveBeenCalled();
  expect((await plans.handlers['plan:repeat']({ runId: 'r' })).database).toBeNull();
  const together = { factor: 'together' as const, level: 'storage.named-volume+server.large-pool' };
  await expect(plans.handlers['plan:repeat']({ runId: 'r', together })).rejects.toMatchObject({
    code: 'DATABASE_ELSEWHERE',
  });
  expect(openDatabase).not.toHaveBeenCalled();
});
