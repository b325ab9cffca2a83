import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parsePreset } from '../../../../src/benchmark/presets/preset-file.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { presetFile, reproductionOf } from '../../../../src/renderer/reproduce/reproduction.ts';
import { isInMemory, type StorageKind } from '../../../../src/shared/kinds/storages.ts';
import { PLAIN_STORAGES } from '../../../../src/shared/model/cells.ts';
import { demoState, makeState, type ScenarioShape, type StateShape } from '../../builders.ts';

/** What the server gets of storages. */
const FIELDS: Partial<Record<StorageKind, object>> = {
  'named-volume': { volumes: ['data:/var/lib/mysql'] },
  'anonymous-volume': { volumes: ['/var/lib/mysql'] },
  'bind-mount': { volumes: ['./data:/var/lib/mysql'] },
  'data-container': { volumes_from: ['data'] },
  'container-layer': {
    command: ['--datadir=/srv/mysql', '--port=3306', '--bind-address=*', '--skip-log-bin'],
  },
  tmpfs: { volumes: ['data:/var/lib/mysql'] },
};

interface Compose {
  services: Record<string, Record<string, unknown> & { command: string[] }>;
  volumes?: Record<string, unknown>;
  networks?: Record<string, unknown>;
}

function of(scenario: ScenarioShape, shape: StateShape = {}) {
  const state = makeState({ rounds: 1, aaCheck: false, ...shape, scenarios: [scenario] });
  return reproduced(state);
}

function reproduced(state: RunState) {
  const [scenario] = state.plan.scenarios;
  const found = scenario === undefined ? undefined : reproductionOf(state, scenario);
  if (found === undefined) throw new Error('nothing to reproduce');
  const compose = found.compose === null ? undefined : (parse(found.compose.file) as Compose);
  const commands = Object.fromEntries(found.steps.map(({ name, commands }) => [name, commands]));
  return { ...found, file: compose, commands };
}

describe('the compose file of a scenario', () => {
  it('has the image that ran, the options that it was started with, and no password', () => {
    const { file, compose } = of(
      { storage: 'named-volume', path: 'published-port' },
      { image: { used: 'whalemark-test/mysql:debian-sid', substituted: true } },
    );
    expect(file?.services['db']).toMatchObject({
      image: 'whalemark-test/mysql:debian-sid',
      command: ['--datadir=/var/lib/mysql', '--port=3306', '--bind-address=*', '--skip-log-bin'],
      environment: { MYSQL_ROOT_PASSWORD: '${DB_ROOT_PASSWORD:?}', MYSQL_DATABASE: 'sbtest' },
      volumes: ['data:/var/lib/mysql'],
      ports: ['127.0.0.1:33306:3306'],
    });
    expect(file?.volumes).toEqual({ data: {} });
    expect(
      compose?.env
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split('=')[0]),
    ).toEqual(['DB_ROOT_PASSWORD', 'DB_PASSWORD']);
  });

  it('has the limits of its server', () => {
    const limited = of(
      { storage: 'named-volume', path: 'published-port' },
      { config: { limits: { cpus: 1.5, memoryMiB: 512 } } },
    );
    expect(limited.file?.services['db']).toMatchObject({ cpus: 1.5, mem_limit: '524288k' });
    const free = of({ storage: 'named-volume', path: 'published-port' });
    expect(Object.keys(free.file?.services['db'] ?? {})).not.toContain('mem_limit');
  });

  it.each([
    { type: 'none', o: 'bind', device: '/' },
    { type: 'none', o: 'bind,device=/etc', device: '<private>' },
    { type: 'overlay', o: 'lowerdir=/', device: 'overlay' },
  ])('is not made of a volume that no preset may mount: %o', (options) => {
    const { compose, steps, notes } = of({
      storage: 'volume-options',
      path: 'published-port',
      options: { options },
    });
    expect([compose, steps, notes]).toEqual([null, [], ['refused-volume']]);
  });

  it.each([
    { type: 'ext4', device: '<private>' },
    { type: 'cifs', o: 'addr=<private>', device: '//<private>/data' },
  ])('is made where only a name was taken out: %o', (options) => {
    const { compose } = of({ storage: 'volume-options', path: 'published-port', options: { options } });
    expect(compose?.file).toContain('<private>');
  });

  it.each(PLAIN_STORAGES)('has the storage %s', (storage) => {
    const { file, commands } = of({ storage, path: 'container-ip' });
    expect(file?.services['db']).toMatchObject(FIELDS[storage] ?? {});
    expect(commands['restart'] === undefined).toBe(isInMemory(storage));
    if (storage === 'container-layer') expect(file?.services['db']?.['volumes']).toBeUndefined();
    if (storage === 'tmpfs') expect(JSON.stringify(file?.volumes)).toMatch(/"type":"tmpfs".*"o":"size=\d+m"/);
  });

  it('has a volume with the options of the local driver', () => {
    const nfs = { address: 'nas.lan', path: '/export', version: '4.2' as const, soft: false, lock: true };
    const { file, notes } = of({ storage: 'nfs', path: 'published-port', options: { nfs } });
    expect(file?.volumes).toEqual({
      data: {
        driver: 'local',
        driver_opts: { type: 'nfs4', o: 'addr=nas.lan,rw,nfsvers=4.2,hard', device: ':/export' },
      },
    });
    expect(notes).toContain('device');
  });

  it.each([
    ['published-port', undefined, 'host', '--mysql-host=127.0.0.1'],
    ['host-network', 'host', 'host', '--mysql-port=33306'],
    ['user-bridge', undefined, undefined, '--mysql-host=db'],
    ['shared-netns', undefined, 'service:db', '--mysql-port=3306'],
    ['unix-socket', undefined, 'none', '--mysql-socket=/run/mysqld-shared/mysqld.sock'],
    ['container-ip', undefined, 'host', '--mysql-host="$DB_ADDRESS"'],
  ] as const)('has the path %s on both sides', (path, server, client, address) => {
    const { file, commands } = of({ storage: 'named-volume', path });
    expect(file?.services['db']?.['network_mode']).toBe(server);
    expect(file?.services['sysbench']?.['network_mode']).toBe(client);
    expect(commands['run']).toContain(address);
    if (path === 'unix-socket') {
      expect(file?.services['db']?.['volumes']).toContain('socket:/run/mysqld-shared');
      expect(file?.services['sysbench']?.['volumes']).toEqual(['socket:/run/mysqld-shared']);
    }
    if (path === 'container-ip') expect(commands['run']).toContain('docker inspect');
  });

  it('asks for a swarm where the path is one’s, and leaves the client to the host behind the routing mesh', () => {
    const overlay = of({ storage: 'named-volume', path: 'overlay' });
    expect(overlay.file?.networks).toEqual({ default: { driver: 'overlay', attachable: true } });
    expect(overlay.notes).toContain('swarm');
    const ingress = of({ storage: 'named-volume', path: 'ingress' });
    expect(ingress.file?.services['sysbench']).toBeUndefined();
    expect(ingress.commands['start']).toContain('docker stack deploy');
  });

  it('names the variables of MariaDB’s image', () => {
    const { file } = of(
      { storage: 'named-volume', path: 'published-port' },
      { image: { used: 'mariadb:11.8', flavor: 'mariadb' } },
    );
    expect(Object.keys(file?.services['db']?.['environment'] ?? {})).toContain('MARIADB_ROOT_PASSWORD');
  });

  it('keeps dollars of options from becoming variables', () => {
    const state = makeState({ rounds: 1, aaCheck: false });
    const servers = Object.fromEntries(
      Object.entries(state.servers).map(([id, server]) => [
        id,
        {
          ...server,
          facts: server.facts === null ? null : { ...server.facts, options: ['--init-connect=$X'] },
        },
      ]),
    );
    expect(reproduced({ ...state, servers }).file?.services['db']?.command).toContain('--init-connect=$$X');
  });
});

describe('the commands', () => {
  it('load the same data and run the same load', () => {
    const { commands, notes } = of(
      { storage: 'named-volume', path: 'published-port', loadGenerator: 'sysbench' },
      {
        workload: {
          kind: 'oltp_read_only',
          preparedStatements: false,
          distribution: 'special',
          skipTransactions: true,
        },
        connections: 12,
        warmupSeconds: 3,
        durationSeconds: 9,
      },
    );
    const common = [
      '--db-ps-mode=disable',
      '--rand-type=special',
      '--tables=4',
      '--table-size=25000',
      '--range-size=100',
      '--skip-trx=on',
    ];
    for (const option of [...common, '--threads=4', 'oltp_read_only', 'prepare'])
      expect(commands['prepare']).toContain(option);
    for (const option of [...common, '--threads=12', '--time=9', '--report-interval=1'])
      expect(commands['run']).toContain(option);
    expect(commands['warmup']).toContain('--time=3');
    expect(notes).not.toContain('own-load');
    expect(JSON.stringify(commands)).toContain('$DB_PASSWORD');
  });

  it.each([{ kind: 'tpcc' }, { kind: 'oltp_complex' }, { distribution: 'zipfian' }])(
    'only start the server where sysbench can’t run the workload %o',
    (workload) => {
      const { commands, notes } = of({ storage: 'named-volume', path: 'published-port' }, { workload });
      expect(Object.keys(commands)).toEqual(['start', 'cleanup']);
      expect(notes).toContain('no-sysbench');
    },
  );

  it('start a server of this machine in a folder of its own', () => {
    const { compose, commands } = of(
      { storage: 'native', path: 'loopback' },
      { config: { native: { binary: '/usr/sbin/my sqld', flavor: 'mysql', version: '8.4' } } },
    );
    expect(compose).toBeNull();
    expect(commands['start']).toContain(`'/usr/sbin/my sqld' --no-defaults --initialize-insecure`);
    expect(commands['start']).toContain('--skip-log-bin');
    expect(commands['prepare']).toMatch(/^sysbench oltp_read_write/);
  });

  it('are not made up where a result does not hold the options of the server', () => {
    const state = makeState({ rounds: 1 });
    const [scenario] = state.plan.scenarios;
    if (scenario === undefined) throw new Error('no scenario');
    const servers = Object.fromEntries(
      Object.keys(state.servers).map((id) => [id, { facts: null, log: [] }]),
    );
    expect(reproductionOf({ ...state, servers }, scenario)).toBeUndefined();
    expect(reproductionOf({ ...state, servers: {} }, scenario)).toBeUndefined();
  });
});

describe('the preset of a run', () => {
  it('is a sound one with the same scenarios, and its command names it', () => {
    const { plan } = demoState();
    const file = presetFile(plan);
    const preset = parsePreset(file?.yaml ?? '', 'again');
    expect(preset.scenarios.map(({ id }) => id)).toEqual(
      plan.scenarios.filter(({ isAaRepeat }) => !isAaRepeat).map(({ id }) => id),
    );
    expect(preset.seed).toBe(plan.seed);
    expect(file?.command).toBe('whalemark run docker-options-again.yaml');
  });

  it('is not made where its baseline was taken out', () => {
    const { plan } = demoState();
    const scenarios = plan.scenarios.map((one) => ({ ...one, clientNode: '<private>' }));
    expect(presetFile({ ...plan, scenarios })).toBeUndefined();
  });
});
