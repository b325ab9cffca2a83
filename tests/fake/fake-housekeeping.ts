import type { FakeBehavior } from './behavior.ts';
import type { Core } from '../../src/shared/contract/ipc.ts';
import type { KeptDatasets, LocalImages } from '../../src/shared/contract/requests/app.ts';
import type { Leftover } from '../../src/shared/model/leftovers.ts';
import { workloadSchema } from '../../src/shared/model/workload.ts';
import { msg } from '../../src/shared/message.ts';

type HousekeepingRequest = Extract<keyof Core, `housekeeping:${string}`>;

/** An engine with something of everything that the settings show. Removed things are gone. */
export function fakeHousekeeping(
  dataDir: string,
  behavior: () => FakeBehavior,
): Pick<Core, HousekeepingRequest> {
  const usedAt = Date.UTC(2026, 5, 1, 9, 30);
  let datasets: KeptDatasets['datasets'] = [
    {
      volume: 'whalemark-dataset-0a1b2c3d4e5f-00112233',
      source: { image: 'mysql:8.4', workload: workloadSchema.parse({ tables: 4, tableSize: 25_000 }) },
      bytes: 254_000_000,
      lastUsedAt: usedAt,
    },
    {
      volume: 'whalemark-dataset-5f4e3d2c1b0a-44556677',
      source: { image: 'mariadb:11.8', workload: workloadSchema.parse({ kind: 'tpcc', warehouses: 2 }) },
      bytes: 812_000_000,
      lastUsedAt: usedAt - 86_400_000,
    },
  ];
  let clients: LocalImages['clients'] = [
    { id: 'sha256:1', reference: 'whalemark-client:0a1b2c3d4e5f', bytes: 268_000_000 },
  ];
  const runId = '20260601-093000-a1b2';
  const ended = { runId, since: usedAt, owner: null, consent: null };
  const away = {
    runId: '20260528-211500-c3d4',
    since: usedAt - 3 * 86_400_000,
    owner: msg('owner.elsewhere', { pid: 4242 }),
    consent: '0123456789ab.4242.1',
  };
  let left: Leftover[] = [
    { kind: 'container', name: `whalemark-${runId}-s1`, ...ended },
    { kind: 'volume', name: `whalemark-${runId}-s1`, ...ended },
    { kind: 'network', name: `whalemark-${runId}`, ...ended },
    { kind: 'volume', name: `whalemark-${away.runId}-s1`, ...away },
    { kind: 'run', name: away.runId, ...away },
    {
      kind: 'engine',
      name: 'context:colima (/root/.colima/default/docker.sock)',
      ...{ ...ended, consent: `engine:${runId}` },
    },
  ];
  // Only the machine of two engines has leftovers to decide on.
  const isThere = ({ consent }: Leftover): boolean => consent === null || behavior().story === 'two-runtimes';
  return {
    'housekeeping:data-folder': () => Promise.resolve({ path: dataDir, bytes: 48_300_000 }),
    'housekeeping:images': () =>
      Promise.resolve({
        servers: [
          { reference: 'mysql:8.4', flavor: 'mysql', version: '8.4.5', bytes: 778_000_000 },
          { reference: 'mariadb:11.8', flavor: 'mariadb', version: '11.8.2', bytes: 331_000_000 },
        ],
        clients,
      }),
    'housekeeping:remove-client-images': () => {
      const removed = clients.map(({ reference }) => reference);
      clients = [];
      return Promise.resolve({ removed, failed: [] });
    },
    'housekeeping:datasets': () =>
      Promise.resolve({ allowed: true, datasets, limits: { datasets: 3, bytes: 20 * 2 ** 30 } }),
    'housekeeping:clear-datasets': () => {
      const removed = datasets.map(({ volume }) => volume);
      datasets = [];
      return Promise.resolve({ removed, remaining: [] });
    },
    'housekeeping:leftovers': () => Promise.resolve(left.filter(isThere)),
    'housekeeping:remove-leftovers': ({ consents }) => {
      const goes = ({ consent }: Leftover): boolean => consent === null || consents.includes(consent);
      const removed = left.filter(goes).map(({ kind, name }) => ({ kind, name }));
      left = left.filter((one) => !goes(one));
      return Promise.resolve({ removed, failed: [] });
    },
  };
}
