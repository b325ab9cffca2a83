import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownOwner } from '../../../../src/benchmark/owners/owner.ts';
import { housekeepingHandlers } from '../../../../src/benchmark/handlers/housekeeping.ts';
import { datasetCache } from '../../../../src/benchmark/servers/dataset/dataset-cache.ts';
import { HistoryStore } from '../../../../src/benchmark/store/history-store.ts';
import { noteEngines, removeLeftovers } from '../../../../src/benchmark/run/leftovers.ts';
import { RunStore } from '../../../../src/benchmark/store/run-store.ts';
import {
  createLabels,
  IMAGE_LABEL,
  OWNER_LABEL,
  RUN_LABEL,
} from '../../../../src/benchmark/runtime/labels.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { createBindDirectory } from '../../../../src/benchmark/servers/storage/bind-directory.ts';
import { makeEvents, makeState } from '../../builders.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { deadOwner } from '../../../helpers/owners.ts';
import { saying } from '../../../helpers/saying.ts';
import { newFolder } from '../../../helpers/folders.ts';

let dataDir: string;
let runtime: FakeRuntime;
let isRunGoingOn: boolean;

beforeEach(() => {
  dataDir = newFolder();
  runtime = new FakeRuntime();
  isRunGoingOn = false;
});

function handlers(datasetDir: string | null = join(dataDir, 'datasets')) {
  const paths = {
    dataDir,
    datasetDir,
    assetsDir: '/a',
    presetsDir: '/p',
    clientFile: '/c',
    appVersion: '0',
  };
  return housekeepingHandlers(paths, {
    runtime: () => Promise.resolve(runtime),
    isRunGoingOn: () => isRunGoingOn,
  });
}

const labelsOf = (owner: string) => ({
  ...createLabels({ runId: 'r', appVersion: '0', role: 'server' }),
  [OWNER_LABEL]: owner,
});

describe('images', () => {
  beforeEach(() => {
    runtime.addImage('mysql:8.4', { env: { MYSQL_VERSION: '8.4.5-1.el9' }, bytes: 700 });
    runtime.addImage('debian:trixie', { bytes: 80 });
    runtime.addImage('whalemark-client:1', {
      labels: { [IMAGE_LABEL]: 'whalemark-client:1' },
      bytes: 260,
    });
    runtime.addImage('whalemark-client:somebody-elses', { bytes: 1 });
    // Built from Whalemark's, so they have its label.
    const { labels = {} } = runtime.imagesMade[2] ?? {};
    runtime.addImage('team/tools:1', { labels });
    runtime.addImage('untagged', { labels, references: [] });
  });

  it('are those of servers and ours, of which ours are removed, and no others', async () => {
    expect(await handlers()['housekeeping:images']()).toEqual({
      servers: [{ reference: 'mysql:8.4', flavor: 'mysql', version: '8.4.5', bytes: 700 }],
      clients: [expect.objectContaining({ reference: 'whalemark-client:1', bytes: 260 })],
    });
    expect(await handlers()['housekeeping:remove-client-images']()).toEqual({
      removed: ['whalemark-client:1'],
      failed: [],
    });
    expect(runtime.imagesMade.map(({ references }) => references[0])).toEqual([
      'mysql:8.4',
      'debian:trixie',
      'whalemark-client:somebody-elses',
      'team/tools:1',
      undefined,
    ]);
  });

  it('that are in use stay, with the reason', async () => {
    const refused = new BenchmarkError('ENGINE_REFUSED', { action: 'remove an image', reason: 'in use' });
    runtime.failing.set('removeImage whalemark-client:1', refused);
    expect(await handlers()['housekeeping:remove-client-images']()).toEqual({
      removed: [],
      failed: [{ name: 'whalemark-client:1', error: refused.toData() }],
    });
  });

  it('stay while a run goes on, which may need them', async () => {
    isRunGoingOn = true;
    await expect(handlers()['housekeeping:remove-client-images']()).rejects.toMatchObject({ code: 'BUSY' });
    expect(runtime.imagesMade).toHaveLength(6);
  });
});

describe('leftovers whose owner nobody can see from here', () => {
  const AWAY = `${'0'.repeat(12)}.9.9`;
  const RUN = '20260601-093000-a1b2';
  const SINCE = Date.UTC(2026, 5, 1, 9, 30);
  const away = { ...labelsOf(AWAY), [RUN_LABEL]: RUN };
  const remove = (consents: string[]) => handlers()['housekeeping:remove-leftovers']({ consents });
  const found = () => handlers()['housekeeping:leftovers']();

  it('are listed with run, age and owner, and go when the user agrees; what certainly lives never does', async () => {
    await runtime.containers.create({ name: 'server', image: 'x', labels: away });
    await runtime.containers.create({ name: 'live-server', image: 'x', labels: labelsOf(ownOwner()) });
    await createBindDirectory(join(dataDir, 'bind'), 'away', { owner: AWAY, runId: RUN });
    const cache = datasetCache(runtime, { datasetDir: join(dataDir, 'datasets'), appVersion: '0' });
    await runtime.volumes.create('half-loaded', {
      ...cache?.draft('k').labels,
      'io.whalemark.dataset-loader': AWAY,
    });
    const things = [
      { kind: 'container', name: 'server' },
      { kind: 'volume', name: 'half-loaded' },
      { kind: 'folder', name: join(dataDir, 'bind', 'away') },
    ];
    const listed = await found();
    expect(listed).toMatchObject(things);
    expect(listed[0]).toMatchObject({ runId: RUN, since: SINCE, consent: AWAY });
    expect(listed[0]?.owner).toEqual(saying('9'));
    expect((await remove([])).removed).toEqual([]);
    expect(await remove([AWAY, ownOwner()])).toEqual({ removed: things, failed: [] });
    expect(await found()).toEqual([]);
    expect([...runtime.containersMade.values()].map(({ spec }) => spec.name)).toEqual(['live-server']);
  });

  it('are runs, too: they are unlocked, get their result and may go on or be deleted', async () => {
    const store = new RunStore(dataDir);
    const owner = `${'1'.repeat(12)}.9.9`;
    const { journal } = await store.start(RUN, owner);
    const events = makeEvents({ rounds: 2 });
    const second = events.findIndex((event) => 'trialId' in event && event.trialId.startsWith('r2.'));
    for (const event of events.slice(0, second + 1)) await journal.append(event);
    await journal.close();
    expect(await store.recover()).toEqual([]);
    const locked = { code: 'RUN_LOCKED', params: { run: RUN } };
    await expect(store.continuable(RUN)).rejects.toMatchObject(locked);
    const history = new HistoryStore(dataDir, store);

    expect(await found()).toMatchObject([{ kind: 'run', name: RUN, runId: RUN, consent: owner }]);
    expect(await remove([owner])).toEqual({ removed: [{ kind: 'run', name: RUN }], failed: [] });
    expect(await found()).toEqual([]);
    expect((await store.load(RUN)).outcome).toBe('failed');
    expect(await history.folderOf(RUN)).toBe(join(dataDir, 'runs', RUN));
    // In the next process, too, that owner has ended.
    expect(JSON.parse(readFileSync(join(dataDir, 'ended-owners.json'), 'utf8'))).toEqual([owner]);
    await expect(store.continuable(RUN)).resolves.toMatchObject({ runId: expect.any(String) });
  });

  it('keep a result from being deleted until they are unlocked, and the refusal names them', async () => {
    const store = new RunStore(dataDir);
    await (await store.start(RUN, `${'2'.repeat(12)}.9.9`)).journal.close();
    await store.list({ ...makeState({ rounds: 1 }), runId: RUN });
    const history = new HistoryStore(dataDir, store);
    const refused = history.remove(RUN);
    await expect(refused).rejects.toMatchObject({ code: 'RUN_LOCKED' });
    await expect(refused).rejects.toThrow(/9.*202\d-/);
  });
});

describe('an engine that is not in use', () => {
  const RUN = '20260601-093000-a1b2';
  const colima = Object.assign(new FakeRuntime(), { id: 'context:colima', endpoint: '/colima.sock' });
  const found = () => handlers()['housekeeping:leftovers']();

  it('is named with the run that may have left something there, until it is asked', async () => {
    await noteEngines(dataDir, RUN, [colima]);
    expect(await found()).toMatchObject([
      { kind: 'engine', name: 'context:colima (/colima.sock)', runId: RUN, owner: null },
    ]);
    await removeLeftovers(runtime, dataDir, '0');
    expect(await found()).toHaveLength(1);
    // The engine is known by its endpoint, whatever its name.
    await removeLeftovers(Object.assign(new FakeRuntime(), { endpoint: '/colima.sock' }), dataDir, '0');
    expect(await found()).toEqual([]);
  });

  it('is forgotten when the user says so', async () => {
    await noteEngines(dataDir, RUN, [colima]);
    const [note] = await found();
    await handlers()['housekeeping:remove-leftovers']({ consents: [note?.consent ?? ''] });
    expect(await found()).toEqual([]);
  });

  it('is named as long as something of the run could not be removed there', async () => {
    await noteEngines(dataDir, RUN, [colima]);
    await colima.networks.create(`whalemark-${RUN}`, { ...labelsOf(deadOwner()), [RUN_LABEL]: RUN });
    const [network] = colima.networksMade.values();
    const refused = new BenchmarkError('ENGINE_REFUSED', { action: 'remove a network', reason: 'in use' });
    colima.failing.set(`removeNetwork ${network?.id ?? ''}`, refused);
    await removeLeftovers(colima, dataDir, '0');
    expect(await found()).toHaveLength(1);
    colima.failing.clear();
    await removeLeftovers(colima, dataDir, '0');
    expect(await found()).toEqual([]);
  });
});

it('a folder that several processes remove at once is no failure of any', async () => {
  const owner = deadOwner();
  for (let index = 0; index < 20; index++) {
    const name = `whalemark-r-${index}`;
    await createBindDirectory(join(dataDir, 'bind'), name, { owner, runId: 'r' });
    writeFileSync(join(dataDir, 'bind', name, 'data', 'file'), 'x');
  }
  const swept = await Promise.all([1, 2, 3].map(() => removeLeftovers(runtime, dataDir, '0')));
  expect(swept.flatMap(({ failed }) => failed)).toEqual([]);
  expect(readdirSync(join(dataDir, 'bind'))).toEqual([]);
});

it('datasets are none, and may be none, where the environment forbids them', async () => {
  expect(await handlers(null)['housekeeping:datasets']()).toMatchObject({ allowed: false, datasets: [] });
  expect(await handlers(null)['housekeeping:clear-datasets']()).toEqual({ removed: [], remaining: [] });
  expect(await handlers()['housekeeping:datasets']()).toMatchObject({
    allowed: true,
    limits: { datasets: 3, bytes: 20 * 2 ** 30 },
  });
});

it('the data folder is as large as its files', async () => {
  writeFileSync(join(dataDir, 'a'), 'x'.repeat(100));
  mkdirSync(join(dataDir, 'runs', 'one'), { recursive: true });
  writeFileSync(join(dataDir, 'runs', 'one', 'b'), 'x'.repeat(50));
  expect(await handlers()['housekeeping:data-folder']()).toEqual({ path: dataDir, bytes: 150 });
});
