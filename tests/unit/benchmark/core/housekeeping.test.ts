import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownOwner } from '../../../../src/benchmark/machine/owner.ts';
import { housekeepingHandlers } from '../../../../src/benchmark/core/housekeeping.ts';
import { datasetCache } from '../../../../src/benchmark/dataset/dataset-cache.ts';
import { createLabels, OWNER_LABEL, ROLE_LABEL } from '../../../../src/benchmark/runtime/labels.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { createBindDirectory } from '../../../../src/benchmark/target/storage/bind-directory.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

let dataDir: string;
let runtime: FakeRuntime;
let isRunGoingOn: boolean;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'whalemark-housekeeping-'));
  runtime = new FakeRuntime();
  isRunGoingOn = false;
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

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

/** The owner label of a process that has ended. */
function deadOwner(): string {
  const { pid } = spawnSync('true');
  const [machine, , start] = ownOwner().split('.');
  return `${machine}.${pid}.${start}`;
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
      labels: { [OWNER_LABEL]: deadOwner(), [ROLE_LABEL]: 'client-image' },
      bytes: 260,
    });
    runtime.addImage('whalemark-client:somebody-elses', { bytes: 1 });
    // Built on ours, so it has our labels.
    runtime.addImage('team/tools:1', { labels: runtime.images[2]?.labels ?? {} });
  });

  it('are those of servers and ours', async () => {
    expect(await handlers()['housekeeping:images']({})).toEqual({
      servers: [{ reference: 'mysql:8.4', flavour: 'mysql', version: '8.4.5', bytes: 700 }],
      clients: [expect.objectContaining({ reference: 'whalemark-client:1', bytes: 260 })],
    });
  });

  it('of ours are removed, and no others', async () => {
    expect(await handlers()['housekeeping:remove-client-images']({})).toEqual({
      removed: ['whalemark-client:1'],
      failed: [],
    });
    expect(runtime.images.flatMap(({ references }) => references)).toEqual([
      'mysql:8.4',
      'debian:trixie',
      'whalemark-client:somebody-elses',
      'team/tools:1',
    ]);
  });

  it('that are in use stay, with the reason', async () => {
    const id = runtime.images[2]?.id ?? '';
    const refused = new BenchmarkError('ENGINE_REFUSED', { action: 'remove an image', reason: 'in use' });
    runtime.failing.set(`removeImage ${id}`, refused);
    expect(await handlers()['housekeeping:remove-client-images']({})).toEqual({
      removed: [],
      failed: [{ name: 'whalemark-client:1', error: refused.toData() }],
    });
  });

  it('stay while a run goes on, which may need them', async () => {
    isRunGoingOn = true;
    await expect(handlers()['housekeeping:remove-client-images']({})).rejects.toMatchObject({ code: 'BUSY' });
    expect(runtime.images).toHaveLength(5);
  });
});

describe('leftovers', () => {
  it('of dead processes are found and removed; what lives is neither', async () => {
    const dead = deadOwner();
    runtime.onStart = () => undefined;
    await runtime.createContainer({ name: 'dead-server', image: 'x', labels: labelsOf(dead) });
    await runtime.createContainer({ name: 'live-server', image: 'x', labels: labelsOf(ownOwner()) });
    await runtime.createContainer({
      name: 'elsewhere',
      image: 'x',
      labels: labelsOf(`${'0'.repeat(12)}.9.9`),
    });
    await runtime.createNetwork('dead-network', labelsOf(dead));
    await runtime.createVolume('dead-volume', labelsOf(dead));
    await runtime.createVolume('live-volume', labelsOf(ownOwner()));
    runtime.addImage('whalemark-client:1', { labels: { [OWNER_LABEL]: dead, [ROLE_LABEL]: 'client-image' } });
    const bind = join(dataDir, 'bind');
    await createBindDirectory(bind, 'dead', { owner: dead, runId: 'r' });
    await createBindDirectory(bind, 'live', { owner: ownOwner(), runId: 'r' });
    mkdirSync(join(bind, 'nobodys'));
    const draft = datasetCache(runtime, { datasetDir: join(dataDir, 'datasets'), appVersion: '0' })?.draft(
      'k',
    );
    await runtime.createVolume('half-loaded', {
      ...draft?.labels,
      'io.whalemark.dataset-loader': dead,
    });

    const ask = handlers();
    const expected = [
      { kind: 'container', name: 'dead-server' },
      { kind: 'network', name: 'dead-network' },
      { kind: 'volume', name: 'dead-volume' },
      { kind: 'volume', name: 'half-loaded' },
      { kind: 'folder', name: join(bind, 'dead') },
    ];
    expect(await ask['housekeeping:leftovers']({})).toEqual(expected);
    expect(runtime.calls.filter((call) => call.startsWith('remove'))).toEqual([]);
    expect(await ask['housekeeping:remove-leftovers']({})).toEqual({ removed: expected, failed: [] });
    expect(await ask['housekeeping:leftovers']({})).toEqual([]);
    expect([...runtime.containers.values()].map(({ spec }) => spec.name)).toEqual([
      'live-server',
      'elsewhere',
    ]);
    expect([...runtime.volumes.keys()]).toEqual(['live-volume']);
  });
});

describe('datasets', () => {
  it('are none, and may be none, where the environment forbids them', async () => {
    expect(await handlers(null)['housekeeping:datasets']({})).toMatchObject({ allowed: false, datasets: [] });
    expect(await handlers(null)['housekeeping:clear-datasets']({})).toEqual({ removed: [], kept: [] });
    expect(await handlers()['housekeeping:datasets']({})).toMatchObject({
      allowed: true,
      limits: { datasets: 3, bytes: 20 * 2 ** 30 },
    });
  });
});

describe('the data folder', () => {
  it('is as large as its files', async () => {
    writeFileSync(join(dataDir, 'a'), 'x'.repeat(100));
    mkdirSync(join(dataDir, 'runs', 'one'), { recursive: true });
    writeFileSync(join(dataDir, 'runs', 'one', 'b'), 'x'.repeat(50));
    expect(await handlers()['housekeeping:data-folder']({})).toEqual({ path: dataDir, bytes: 150 });
  });
});
