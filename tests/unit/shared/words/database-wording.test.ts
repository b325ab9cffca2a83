import { describe, expect, it } from 'vitest';
import { msg } from '../../../../src/shared/message.ts';
import type { Loss } from '../../../../src/shared/options/losses.ts';
import { createTranslator, messageText } from '../../../../src/shared/words/i18n.ts';
import { readFacts, databaseLine, databaseName } from '../../../../src/shared/words/database-wording.ts';
import type { DatabaseService, DatabaseSource } from '../../../../src/shared/model/database.ts';
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

describe('a database in one line', () => {
  it('has the image, the place of the data, and the port', () => {
    expect(lineOf({})).toBe('mysql:8.4, bind mount ./data, port 3306');
  });

  it('names a folder as Windows does', () => {
    const storage = storageOf('bind-mount', { place: 'C:\\shop\\data' });
    expect(lineOf({ storage }, { files: ['C:\\shop\\compose.yaml'] })).toContain('./data');
  });

  it('names a folder elsewhere in full, and so it does without a file', () => {
    const storage = storageOf('bind-mount', { place: '/srv/shopping/data' });
    expect(lineOf({ storage })).toContain('/srv/shopping/data');
    expect(lineOf({}, CONTAINER)).toContain('/srv/shop/data');
  });

  it('leaves out the number that names an anonymous volume, and says a driver that is not Docker’s own', () => {
    const anonymous = storageOf('anonymous-volume', { place: 'f'.repeat(64), driver: 'local' });
    expect(lineOf({ storage: anonymous })).toBe('mysql:8.4, anonymous volume, port 3306');
    const foreign = storageOf('named-volume', { place: 'data', driver: 'rexray' });
    expect(lineOf({ storage: foreign })).toContain('named volume data (driver rexray)');
  });

  it('ends with the place where no port is published', () => {
    const path = { kind: 'user-bridge', client: null, port: null, at: null } as const;
    expect(lineOf({ path })).toBe('mysql:8.4, bind mount ./data');
  });
});

it('a path between containers is not from the host', () => {
  const pathOf = (kind: 'user-bridge' | 'published-port'): string | undefined => {
    const database = makeDatabase({ ...SERVICE, path: { kind, client: null, port: null, at: null } });
    const facts = database.services.flatMap((service) => readFacts(database, service, t));
    return new Map(facts).get(t('ui:database.fact.path'));
  };
  expect(pathOf('user-bridge')).toBe('from a container: bridge network');
  expect(pathOf('published-port')).toBe('from the host: published port');
});

it('a service is named with its project, and a container of no project by its own name', () => {
  expect(databaseName(makeDatabase(), 'db', t)).toBe('db in shop');
  expect(databaseName({ source: CONTAINER }, 'db', t)).toBe('wiki');
});

it('what was read names files and lines, and nothing of the environment', () => {
  const database = makeDatabase({
    ...SERVICE,
    otherPaths: [{ kind: 'user-bridge', client: 'app', port: null, at: null }],
    limits: { cpus: 1.5, memoryMiB: 1024 },
    options: ['--max-connections=200'],
    configFiles: ['/srv/shop/my.cnf'],
  });
  const facts = database.services.flatMap((service) => readFacts(database, service, t));
  expect(Object.fromEntries(facts)).toEqual({
    [t('ui:settings.leftoverKind.image')]: 'mysql:8.4',
    [t('report:effects.factor.storage')]: 'bind mount ./data (compose.yaml:9)',
    [t('ui:database.fact.path')]: 'from the host: published port 3306 (compose.yaml:11)',
    [t('ui:database.fact.otherPaths')]: 'app: bridge network',
    [t('ui:database.fact.limits')]: '1.5 CPUs, 1 GiB',
    [t('ui:database.fact.options')]: '--max-connections=200',
    [t('ui:database.fact.configFiles')]: './my.cnf',
  });
});
