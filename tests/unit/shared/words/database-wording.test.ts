import { describe, expect, it } from 'vitest';
import { msg } from '../../../../src/shared/message.ts';
import type { Loss } from '../../../../src/shared/options/losses.ts';
import { createTranslator, messageText } from '../../../../src/shared/words/i18n.ts';
import { readFacts, databaseLine, databaseName } from '../../../../src/shared/words/database-wording.ts';
import type { DatabaseService, DatabaseSource } from '../../../../src/shared/model/database.ts';
import { expectShown } from '../../../helpers/shown.ts';
import { makeDatabase, storageOf } from '../../database-builder.ts';

const t = createTranslator('en');

const FILE = '/srv/shop/compose.yaml';
const SERVICE: Partial<DatabaseService> = {
  storage: storageOf('bind-mount', { place: '/srv/shop/data', at: { file: FILE, line: 9 } }),
  path: { kind: 'published-port', client: null, port: 3306, at: { file: FILE, line: 11 } },
};
const CONTAINER = { kind: 'container' as const, id: 'c', name: 'wiki', files: [], project: null };

function lineOf(service: Partial<DatabaseService>, source: Partial<DatabaseSource> = {}): string {
  const database = makeDatabase({ ...SERVICE, ...service }, source);
  const [first] = database.services;
  return first === undefined ? '' : databaseLine(database, first, t);
}

const factsOf = (database: ReturnType<typeof makeDatabase>): string[] =>
  database.services.flatMap((one) => readFacts(database, one, t).map((fact) => fact.join(': ')));

describe('what was read', () => {
  const loses = (flavor: DatabaseService['flavor'], options: string[]): string | undefined => {
    const database = makeDatabase({ ...SERVICE, flavor, options });
    const [service] = database.services;
    const facts = service === undefined ? [] : readFacts(database, service, t);
    return facts.find(([name]) => name === t('report:flushes.mayLose'))?.[1];
  };
  const textOf = (...losses: Loss[]): string =>
    losses.map((loss) => messageText(msg(`loss.${loss}`), t)).join(t('report:list.items'));

  it('says what the server’s own options may lose', () => {
    expect(loses('mysql', ['--skip-innodb-doublewrite', '--innodb-flush-method=nosync'])).toBe(
      textOf('power-cut', 'tables'),
    );
    expect(loses('mysql', ['--sync-binlog=0'])).toBe(textOf('binlog-end'));
    expect(loses('mariadb', ['--sync-binlog=0'])).toBeUndefined();
    expect(loses('mysql', ['--innodb-io-capacity=200'])).toBeUndefined();
  });
});

it('a database is said in one line, and with files and lines, but nothing of the environment', async () => {
  const at = (place: string, more: object = {}) => storageOf('bind-mount', { place, ...more });
  const foreign = storageOf('named-volume', { place: 'data', driver: 'rexray' });
  const anonymous = storageOf('anonymous-volume', { place: 'f'.repeat(64), driver: 'local' });
  const path = { kind: 'user-bridge', client: null, port: null, at: null } as const;
  const database = makeDatabase({
    ...SERVICE,
    otherPaths: [{ kind: 'user-bridge', client: 'app', port: null, at: null }],
    limits: { cpus: 1.5, memoryMiB: 1024 },
    options: ['--max-connections=200'],
    configFiles: ['/srv/shop/my.cnf'],
  });
  await expectShown('database-lines', {
    'its image, the place of the data, and the port': [lineOf({})],
    'a folder of Windows': [lineOf({ storage: at('C:\\shop\\data') }, { files: ['C:\\shop\\compose.yaml'] })],
    'a folder elsewhere': [lineOf({ storage: at('/srv/shopping/data') })],
    'a folder without a file': [lineOf({}, CONTAINER)],
    'a volume without a name': [lineOf({ storage: anonymous })],
    'a driver that is not Docker’s own': [lineOf({ storage: foreign })],
    'no published port': [lineOf({ path })],
    'a service of a project': [databaseName(makeDatabase(), 'db', t)],
    'a container of no project': [databaseName({ source: CONTAINER }, 'db', t)],
    'what was read': factsOf(database),
    'what was read of a path between containers': factsOf(makeDatabase({ ...SERVICE, path })),
  });
});
