import { examinedSchema } from '../../src/benchmark/runtime/examined-container.ts';
import { describeContainer } from '../../src/benchmark/database/container-databases.ts';
import { requireTuningOptions } from '../../src/shared/options/tuning.ts';
import { expect } from 'vitest';
import { parse, stringify } from 'yaml';
import { builtImage } from '../../src/shared/compose/dockerfile.ts';
import { composeFileOf } from '../../src/shared/compose/other-projects.ts';
import { commandOf, plainWords } from '../../src/shared/compose/command.ts';
import { composeModelSchema } from '../../src/shared/compose/model.ts';
import { Notes } from '../../src/shared/compose/notes.ts';
import { databasesIn } from '../../src/shared/compose/service.ts';
import { msg } from '../../src/shared/message.ts';
import { databaseSchema } from '../../src/shared/model/database.ts';
import { presetOfDatabase, serviceOf } from '../../src/shared/compose/database-preset.ts';
import { FAKE_PASSPORT } from '../unit/fake-runtime.ts';
import { CONTAINER_ID, IMAGE_ID, inspectAnswer, listed } from '../unit/benchmark/database/inspected.ts';
import { fuzz } from './support/fuzz.ts';
import { TELLING_NAMES } from './support/odd.ts';
import { acceptedOrRefused } from './support/refusal.ts';
import { textMutants } from './support/text-mutants.ts';
import { valueMutants } from './support/value-mutants.ts';

const LABELS = {
  'com.docker.compose.project': 'shop',
  'com.docker.compose.service': 'db',
  'com.docker.compose.project.config_files': '/srv/shop/compose.yaml',
  'com.docker.compose.project.working_dir': '/srv/shop',
};

const ANSWERS = [
  inspectAnswer({
    Config: { Cmd: ['mysqld', '--innodb-buffer-pool-size=1G', '--datadir=/var/lib/mysql'], Labels: LABELS },
    HostConfig: {
      ...{ NanoCpus: 1_500_000_000, CpuQuota: 100_000, CpuPeriod: 50_000, Memory: 2 ** 29 },
      ...{ PortBindings: { '3306/tcp': [{ HostIp: '', HostPort: '3307' }] }, Tmpfs: { '/tmp': 'size=64m' } },
    },
    Mounts: [
      { Type: 'volume', Name: 'shop_db', Source: '/v', Destination: '/var/lib/mysql', Driver: 'local' },
      { Type: 'bind', Source: '/srv/shop/my.cnf', Destination: '/etc/my.cnf' },
    ],
  }),
  inspectAnswer({ HostConfig: { NetworkMode: `container:${CONTAINER_ID}`, VolumesFrom: ['data'] } }),
];
const OPTIONS = [
  {},
  { type: 'nfs', o: 'addr=nas,nfsvers=4.1,nolock', device: ':/db' },
  { type: 'ext4', o: 'noatime', device: '/dev/sdb1' },
];

fuzz({
  name: 'inspect-answer',
  cases: valueMutants(ANSWERS.flatMap((answer) => OPTIONS.map((options) => ({ answer, options })))),
  judge: (value) => {
    const { answer, options } = Object(value) as { answer?: unknown; options?: unknown };
    const parsed = examinedSchema.safeParse(answer);
    if (!parsed.success) return 'refused';
    const strings = Object.entries(Object(options) as object).filter(([, one]) => typeof one === 'string');
    const database = describeContainer(parsed.data, {
      image: undefined,
      namedImageId: IMAGE_ID,
      volumes: new Map([
        ['shop_db', { driver: 'local', options: Object.fromEntries(strings) as Record<string, string> }],
      ]),
      others: [listed('app', { labels: LABELS })],
      passport: FAKE_PASSPORT,
      platform: 'linux',
      exists: () => true,
      optionTexts: [],
    });
    // The journal, the window, and scripts read it again.
    databaseSchema.parse(database);
    return acceptedOrRefused(
      () =>
        presetOfDatabase(serviceOf(database, database.services[0]?.name ?? ''), { memoryBytes: 8 * 2 ** 30 }),
      {
        codes: ['DATABASE_REFUSED'],
        namesPlace: ({ evidence }) => evidence.length > 0,
      },
    );
  },
});

const MODEL = {
  name: 'shop',
  services: {
    db: {
      image: 'mysql:8.4',
      build: { context: '/srv/shop', dockerfile: 'Dockerfile', args: { V: '8.4' } },
      command: ['--innodb-buffer-pool-size=1G', '--datadir=/data'],
      environment: { MYSQL_ROOT_PASSWORD: 'secret' },
      volumes: [{ type: 'volume', source: 'db', target: '/data', tmpfs: { size: '1g' } }],
      tmpfs: ['/tmp:size=64m'],
      ports: [{ target: 3306, published: '3307', protocol: 'tcp' }],
      deploy: { replicas: 1, resources: { limits: { cpus: '1.5', memory: '512m' } } },
      cpu_quota: '50ms',
    },
    app: { image: 'app', environment: { DSN: 'mysql://a:b@db:3306/c' }, links: ['db'], network_mode: 'host' },
  },
  volumes: {
    db: { name: 'shop_db', driver: 'local', driver_opts: { type: 'nfs', o: 'addr=nas', device: ':/db' } },
  },
};

fuzz({
  name: 'resolved-project',
  cases: valueMutants([MODEL]),
  judge: async (value) => {
    const { data: model } = composeModelSchema.safeParse(value);
    if (model === undefined) return 'refused';
    const missing = { kind: 'unread' as const, reason: msg('compose.file.missing'), isMissing: true };
    const services = await databasesIn({
      ...{ model, isWindows: false, locate: () => null, written: () => undefined },
      find: () => Promise.resolve(missing),
    });
    databaseSchema.parse({
      source: { kind: 'compose', files: ['/srv/compose.yaml'], project: 'shop' },
      services,
    });
    return 'accepted';
  },
});

fuzz({
  name: 'server-command',
  cases: textMutants(
    [
      'mysqld --innodb-buffer-pool-size=1G --max-connections 500 --skip-name-resolve',
      '--datadir=/data --port 3307',
    ],
    [' ', '--', '=', '\n', 'sh -c ', ...TELLING_NAMES],
  ),
  only: 'accepted',
  judge: (text) => {
    const command = text.split(' ');
    const { options } = commandOf({ command }, plainWords(command), new Notes());
    // Settings aren't options of a preset.
    const others = options.filter((one) => !/buffer-pool|log|sync|server-id|performance/.test(one));
    requireTuningOptions('fuzz', others);
    return 'accepted';
  },
});

const READ = [
  ...['on', 'jobs', 'services', 'matrix', '${{', '}}', '$', '*a', '&a ', '/*', '<<EOF', '\\\n', 'FROM '],
  'CMD ',
];

fuzz({
  name: 'other-project',
  share: 0.5,
  cases: textMutants(
    [
      'on: push\njobs:\n  a:\n    strategy: { matrix: { db: [mysql, mariadb] } }\n    services:\n      db:\n' +
        '        image: ${{ matrix.db }}\n        ports: [3306]\n        options: --tmpfs /d -m 2g\n',
      'name: shop\ndatabase: { type: mysql, version: "8.4" }\nhost_db_port: 3307\ndbimage: acme/mysql\n',
      '{\n  // why\n  "mysqlPort": 1, /* and */ "env": { "tests": { "mysqlPort": 2 } },\n}\n',
    ],
    READ,
  ),
  // The judge reads three files, and writes and reads their services.
  reads: 5,
  judge: (text) => {
    const read = ['.github/workflows/a.yml', '.ddev/config.yaml', '.wp-env.json'].flatMap(
      (name) => composeFileOf(name, text) ?? [],
    );
    for (const { services } of read) expect(parse(stringify(services))).toEqual(services);
    return read.length > 0 ? 'accepted' : 'refused';
  },
});

fuzz({
  name: 'dockerfile',
  cases: textMutants(
    [
      'ARG V=8.4\nFROM mysql:${V} AS a\nCOPY a/*.cnf \\\n  /etc/mysql/conf.d/\nCMD ["--a", "--b=1"]\nRUN <<EOF\na\nEOF\n',
    ],
    READ,
  ),
  judge: (text) => (builtImage(text, undefined, () => undefined) === undefined ? 'refused' : 'accepted'),
});
