import { describe, expect, it } from 'vitest';
import { englishOf } from '../../../../src/shared/message.ts';
import { briefly, FOLDER, readProject, readService } from './project-texts.ts';

const DB = 'services:\n  db:\n    image: mysql:8.4\n';

/** A bomb of aliases: each line ten times the one before. */
const BOMB = [
  'a: &a [x,x,x,x,x,x,x,x,x,x]',
  ...'bcdefghi'.split('').map((name, index) => {
    const before = 'abcdefgh'[index] ?? 'a';
    return `${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(',')}]`;
  }),
].join('\n');

describe('a Compose file that can’t be read', () => {
  it.each([
    ['no YAML', 'services:\n  db: "canary\n', ['3 yaml.invalid']],
    ['a bracket too many', `${DB}    ports: [3306]]canary\n`, ['4 yaml.invalid']],
    ['a tab', `${DB}\tcommand: canary\n`, ['4 yaml.tab']],
    ['a second document', `${DB}---\n${DB}`, ['4 yaml.documents']],
    ['the same key twice', `${DB}    image: mysql:9\n`, ['4 yaml.sameKey']],
    ['an unknown alias', `${DB}    ports: *ports\n`, ['4 yaml.noAnchor']],
    ['an alias of itself', `${DB}    x: &x [*x]\n`, ['4 yaml.noAnchor']],
    ['aliases that explode', `${BOMB}\n${DB}`, ['5 yaml.explodes']],
    ['a list', '- db\n', ['1 compose.noMapping']],
    ['an empty file', '', ['1 compose.noMapping']],
    ['no services', 'db:\n  image: mysql:8.4\n', ['1 compose.noServices']],
    ['services as a list', 'services: [db]\n', ['1 compose.servicesMapping']],
    ['too long', `${DB}# ${'x'.repeat(300_000)}`, ['1 yaml.tooLong']],
    ['nested too deeply', `${DB}    x: ${'['.repeat(200)}${']'.repeat(200)}`, ['4 yaml.tooDeep']],
    ['only an include', 'services: {}\ninclude: [other.yaml]\n', ['2 compose.includeFile']],
    ['a service like an option', 'services:\n  --privileged:\n    image: mysql\n', ['2 compose.serviceName']],
    ['a service like a command', 'services:\n  "db; canary":\n    image: mysql\n', ['2 compose.serviceName']],
    ['a project like an option', `${DB}name: --canary\n`, ['4 compose.projectName']],
    ['a project with other letters', `${DB}name: Canary\n`, ['4 compose.projectName']],
    ['a project with a line break', `${DB}name: "a\\nb"\n`, ['4 compose.control']],
    ['a volume with an escape', `${DB}volumes:\n  "a\\e[31m":\n`, ['5 compose.control']],
    ['a service that is text', 'services:\n  db: canary\n', ['2 compose.serviceMapping']],
  ])('%s: names the line, quotes nothing', (_, text, expected) => {
    const { problems } = readProject({ 'compose.yaml': text });
    expect(problems.map(briefly).slice(0, expected.length)).toEqual(expected);
    expect(JSON.stringify(problems)).not.toContain('canary');
    for (const problem of problems) expect(englishOf(problem)).toMatch(/^compose\.yaml:\d+: \S/);
  });

  it('counts lines that end like on Windows', () => {
    const { database } = readProject({
      'compose.yaml': `${DB}    ports:\n      - "3306:3306"\n`.replaceAll('\n', '\r\n'),
    });
    expect(database.services[0]?.path).toMatchObject({
      port: 3306,
      at: { file: `${FOLDER}/compose.yaml`, line: 5 },
    });
  });

  it('needs the files that it names, and no others', () => {
    const { needed } = readProject({}, { found: () => undefined });
    expect(needed.sort()).toEqual([`${FOLDER}/.env`, `${FOLDER}/compose.yaml`]);
  });
});

describe('a control character', () => {
  it.each([
    ['of a bind folder', '    volumes: ["./a\\x15rm:/var/lib/mysql"]\n'],
    ['of a long bind folder', '    volumes: [{type: bind, source: "./a\\tb", target: /var/lib/mysql}]\n'],
    ['of a variable’s value', '    volumes: ["./${DIR}:/var/lib/mysql"]\n'],
    ['of a command', '    command: "--max-connections=9\\e[31m"\n'],
  ])('%s refuses the service, and is nowhere', (_, lines) => {
    const { database } = readProject({ 'compose.yaml': DB + lines }, { environment: { DIR: 'a\nb' } });
    const [service] = database.services;
    expect(service === undefined ? undefined : briefly(service.refusal ?? '')).toMatch(/compose\.control$/);
    expect(JSON.stringify(database)).not.toMatch(/\\u00|\\t|\\n/);
  });

  it('in lines of a command or a variable of another program refuses nothing', () => {
    const lines = ['command: |', '  --max-connections=9', '  --skip-name-resolve'];
    const service = readService([...lines, 'environment:', '  PS1: "\\e[31m"'].join('\n'));
    expect(service.refusal).toBeNull();
    expect(service.options).toContain('--max-connections=9');
  });
});

describe('extends', () => {
  it.each([
    [
      'from another machine',
      'extends: { service: x, file: "https://example.com/compose.yaml" }',
      'compose.extendsRemote',
    ],
    ['a missing file', 'extends: { service: x, file: missing.yaml }', 'compose.extendsFile'],
    ['a missing service', 'extends: { service: x }', 'compose.extendsService'],
    ['itself', 'extends: db', 'compose.extendsCycle'],
    ['nothing', 'extends: {}', 'compose.extends'],
    ['a file without YAML', 'extends: { service: x, file: text }', 'compose.extendsFile'],
  ])('refuses the service that extends %s', (_, line, code) => {
    const { database, problems } = readProject({
      'compose.yaml': `${DB}    ${line}\n`,
      text: 'canary: [',
    });
    expect(briefly(database.services[0]?.refusal ?? problems[0] ?? null)).toMatch(
      new RegExp(`${code}$|yaml\\.invalid$`),
    );
    expect(JSON.stringify([database, problems])).not.toContain('canary');
  });

  it('lists a service without an image that can’t be read, where nothing else is a database', () => {
    const { problems } = readProject({
      'compose.yaml': 'services:\n  db:\n    extends: { service: x, file: missing.yaml }\n',
    });
    expect(problems.map(briefly)).toEqual(['3 compose.extendsFile', '2 compose.noDatabase']);
  });

  it('takes the folder of the extended file for its relative paths', () => {
    const { database } = readProject({
      'compose.yaml': 'services:\n  db:\n    extends: { file: ../common/db.yaml, service: mysql }\n',
      '../common/db.yaml':
        'services:\n  mysql:\n    image: mysql:8.4\n    volumes: [./data:/var/lib/mysql]\n',
    });
    expect(database.services[0]).toMatchObject({
      name: 'db',
      image: 'mysql:8.4',
      storage: { place: '/work/common/data', at: { file: '/work/common/db.yaml', line: 4 } },
    });
  });
});

describe('include', () => {
  const db = 'services:\n  db:\n    image: mysql:${TAG}\n    volumes: ["./data:/var/lib/mysql"]\n';
  it.each([
    ['[infra/db.yaml]', '8.4', '/work/shop/infra/data'],
    ['[{ path: infra/db.yaml, project_directory: . }]', '9.0', '/work/shop/data'],
    ['[{ path: [infra/db.yaml, more.yaml], env_file: other.env }]', '5.7', '/work/shop/infra/data'],
    ['[{ path: nested.yaml }]', '8.4', '/work/shop/infra/data'],
  ])('reads %s with its folder and variables', (include, tag, place) => {
    const { database } = readProject({
      'compose.yaml': `name: own\ninclude: ${include}\nservices:\n  app: { image: x, depends_on: [db] }\n`,
      ...{
        'infra/db.yaml': `name: other\n${db}`,
        'infra/.env': 'TAG=8.4\nROOT=x',
        'more.yaml': 'services: {}',
      },
      ...{ 'other.env': 'TAG=5.7', 'nested.yaml': 'include: [infra/db.yaml, nested.yaml]\n' },
      ...(tag === '9.0' ? { '.env': 'TAG=9.0' } : {}),
    });
    expect(database.source.project).toBe('own');
    expect(database.services[0]).toMatchObject({
      image: `mysql:${tag}`,
      storage: { place },
      path: { client: 'app' },
    });
  });

  it.each([
    ['[missing.yaml]', '1 compose.includeFile'],
    ['["oci://docker.io/x/y"]', '1 compose.includeRemote'],
    ['[{ project_directory: . }]', '1 compose.include'],
  ])('says why %s isn’t read', (include, expected) => {
    const { database } = readProject({
      'compose.yaml': `include: ${include}\n${DB}`,
    });
    expect(database.services[0]?.warnings.map(briefly)).toContain(expected);
  });
});

describe('variables', () => {
  it('takes the shell’s before those of .env', () => {
    const texts = { '.env': 'PORT=1111\nNAME=2222\n' };
    const service = readService('ports: ["${PORT}:3306", "${NAME}:3306"]', '', texts, {
      environment: { PORT: '3333' },
    });
    expect([service.path, ...service.otherPaths].map(({ port }) => port)).toEqual([3333, 2222]);
  });

  it('takes the project’s folder for PWD', () => {
    const { storage } = readService(
      'volumes: ["$PWD/data:/var/lib/mysql"]',
      '',
      {},
      { environment: { PWD: '/' } },
    );
    expect(storage.place).toBe(`${FOLDER}/data`);
  });

  it('knows no variable that every object has', () => {
    const { warnings } = readService('mem_limit: "1${__proto__}${constructor}g"');
    expect(warnings.map(briefly)).toContain('4 compose.unset');
  });

  it('warns about those without a value, and refuses an image without a name', () => {
    const { database } = readProject({
      'compose.yaml':
        'services:\n  db:\n    image: mysql:${TAG}\n    volumes: ["${ROOT}/x:/var/lib/mysql"]\n',
    });
    const [service] = database.services;
    expect(service?.warnings.map(briefly)).toEqual([
      '3 compose.unset',
      '4 compose.unset',
      '2 compose.noClient',
    ]);
    expect(briefly(service?.refusal ?? null)).toBe('3 compose.badImage');
  });

  it('neither keeps nor shows an image with the value of a secret', () => {
    const environment = { GITHUB_TOKEN: 'canary' };
    const text = 'services:\n  db:\n    image: mysql:${GITHUB_TOKEN}\n';
    const { database } = readProject({ 'compose.yaml': text }, { environment });
    expect(briefly(database.services[0]?.refusal ?? null)).toBe('3 compose.secretImage');
    expect(JSON.stringify(database)).not.toContain('canary');
  });

  it.each([
    ['image: "${DB_IMAGE}"', ['3 compose.unset', '2 compose.noDatabase']],
    [
      'image: shop/data\n    environment: [MYSQL_ROOT_PASSWORD=x]',
      ['3 compose.maybeDatabase', '2 compose.noDatabase'],
    ],
    [
      'image: shop/data\n    healthcheck: { test: [CMD, mysqladmin, ping] }',
      ['3 compose.maybeDatabase', '2 compose.noDatabase'],
    ],
    [
      'image: shop/data\n    healthcheck: { test: healthcheck.sh --connect }',
      ['3 compose.maybeDatabase', '2 compose.noDatabase'],
    ],
  ])('says what may be a database where none is known: %s', (lines, expected) => {
    const { problems } = readProject({ 'compose.yaml': `services:\n  db:\n    ${lines}\n` });
    expect(problems.map(briefly)).toEqual(expected);
  });

  it('warns of a data directory that an unknown image may not keep on a volume', () => {
    const read = (lines: string) =>
      readProject({
        'compose.yaml': `services:\n  db:\n    image: ${lines}\n`,
      }).database.services[0]?.warnings.map(briefly);
    expect(read('someone/mysql:8')).toContain('3 compose.unknownOwner');
    expect(read('someone/mysql:8\n    volumes: ["./d:/var/lib/mysql"]')).not.toContain(
      '3 compose.unknownOwner',
    );
    expect(read('mirror.example.com:5000/mysql')).not.toContain('3 compose.unknownOwner');
  });

  it('leaves variables of the environment alone', () => {
    const service = readService('environment: { MYSQL_ROOT_PASSWORD: "${X:?canary}", "A${B}": "${" }');
    expect(service).toMatchObject({ environment: ['MYSQL_ROOT_PASSWORD'], refusal: null });
    expect(JSON.stringify(service)).not.toContain('canary');
  });

  it('refuses a value whose variable must be set', () => {
    expect(briefly(readService('ports: ["${PORT:?canary}:3306"]').refusal)).toBe('4 compose.required');
  });
});

describe('merge keys', () => {
  it('keeps a map’s own values, then those of the first map', () => {
    const { database } = readProject({
      'compose.yaml': [
        'x-a: &a { image: "mysql:8.0", mem_limit: 1g, cpus: 1 }',
        'x-b: &b { image: "mysql:5.7", mem_limit: 2g, platform: linux/amd64 }',
        'services:',
        '  db:',
        '    <<: [*a, *b]',
        '    image: mysql:9',
        '',
      ].join('\n'),
    });
    expect(database.services[0]).toMatchObject({
      image: 'mysql:9',
      limits: { cpus: 1, memoryMiB: 1024 },
      platform: 'linux/amd64',
    });
  });
});

describe('services', () => {
  it.each([
    ['mysql', 'mysql'],
    ['docker.io/library/mysql:8.4', 'mysql'],
    ['mcr.example.com:5000/team/mysql-server', 'mysql'],
    ['arm64v8/mariadb:11', 'mariadb'],
    ['ghcr.io/mariadb/mariadb', 'mariadb'],
    ['percona/percona-server:8.4', 'percona'],
    ['container-registry.oracle.com/mysql/community-server:9.1', undefined],
    ['whalemark-test/mysql:debian-sid', 'mysql'],
    ['prom/mysqld-exporter', undefined],
    ['zabbix/zabbix-server-mysql', undefined],
    ['mysql/mysql-router', undefined],
    ['percona/percona-server-mongodb', undefined],
    ['phpmyadmin', undefined],
    ['databack/mysql-backup', undefined],
  ])('takes %s for %s', (image, flavor) => {
    const { database } = readProject({ 'compose.yaml': `services:\n  one:\n    image: ${image}\n` });
    expect(database.services[0]?.flavor).toBe(flavor);
  });

  it.each([
    ['ports: ["nonsense:3306"]', 'compose.port'],
    ['ports: [{ target: x }]', 'compose.port'],
    ['volumes: ["a/b:/var/lib/mysql"]', 'compose.volumeName'],
    ['volumes: ["data:/var/lib/mysql"]', 'compose.noVolume'],
    ['volumes: ["a:b:c:d"]', 'compose.mount'],
    ['volumes: [{ type: bind }]', 'compose.mount'],
    ['mem_limit: much', 'compose.size'],
    ['cpus: many', 'compose.number'],
    ['volumes: [{ type: volume,\n  source: "a/b", target: /var/lib/mysql }]', 'compose.volumeName'],
    ['provider: { type: cloud }', 'compose.provider'],
    ['deploy: { replicas: 2 }', 'compose.replicas'],
  ])('refuses %s with its line', (line, code) => {
    expect(briefly(readService(line).refusal)).toBe(`4 ${code}`);
  });

  it('names the line of an item, not of its list', () => {
    const service = readService(
      'volumes:\n  - type: volume\n    target: /x\n  - type: volume\n    source: a/b\n    target: /var/lib/mysql',
    );
    expect(briefly(service.refusal)).toBe('7 compose.volumeName');
  });

  it.each([
    ['volumes: ["C:\\\\data:/var/lib/mysql"]', 'C:\\data', 'compose.windowsPath'],
    ['volumes: ["c:/data:/var/lib/mysql:rw"]', 'c:/data', 'compose.windowsPath'],
    ['volumes: ["\\\\\\\\nas\\\\db:/var/lib/mysql"]', '\\\\nas\\db', 'compose.share'],
  ])('has no place of its own for %s on another system', (line, place, code) => {
    const { storage, warnings } = readService(line);
    expect(storage).toMatchObject({ kind: 'bind-mount', place, spec: null });
    expect(warnings.map(briefly)).toContain(`4 ${code}`);
  });

  it('takes a folder of Windows on Windows', () => {
    const { storage } = readService('volumes: ["C:\\\\data:/var/lib/mysql"]', '', {}, { isWindows: true });
    expect(storage).toMatchObject({ place: 'C:\\data', spec: { kind: 'bind-mount' } });
  });

  it('keeps only names of options that don’t tune', () => {
    const service = readService(
      'command: ["--max-connections=5", "--init-connect=canary", "-pcanary", "canary"]',
    );
    expect(service.options).toEqual(['--max-connections=5']);
    expect(service.warnings.map(briefly)).toEqual([
      '4 compose.notAnOption',
      '4 compose.droppedOption',
      '2 compose.noClient',
    ]);
    expect(JSON.stringify(service)).not.toContain('canary');
  });
});

describe('an option with a variable', () => {
  const environment = {
    TOKEN: 'canary_8f2',
    SIZE: '512M',
    MODE: 'ANSI_QUOTES',
    ALL: '--max-connections=canary --sort-buffer-size=2',
  };
  it.each([
    ['--max-connections=${SIZE}', ['--max-connections=512M'], []],
    ['["--sql-mode", "${MODE}"]', ['--sql-mode=ANSI_QUOTES'], []],
    [
      '--max-connections=${TOKEN} --sort-buffer-size=plain',
      ['--sort-buffer-size=plain'],
      ['4 compose.variableOption'],
    ],
    [
      '["--max-connections=${TOKEN}", "--sort-buffer-size=plain"]',
      ['--sort-buffer-size=plain'],
      ['4 compose.variableOption'],
    ],
    ['--max-connections=${NONE:-plain}', ['--max-connections=plain'], []],
    ['--max-connections=${TOKEN:+plain}', ['--max-connections=plain'], []],
    ['mysqld ${ALL}', ['--sort-buffer-size=2'], ['4 compose.variableOption']],
    ['["--${TOKEN}"]', [], ['4 compose.variableOption']],
  ])('%s keeps only what can’t be a secret', (command, options, expected) => {
    const service = readService(`command: ${command}`, '', {}, { environment });
    expect(service.options).toEqual(options);
    expect(service.warnings.map(briefly).slice(0, -1)).toEqual(expected);
    expect(JSON.stringify(service)).not.toContain('canary');
  });
});

describe('a program in a server’s image', () => {
  it.each([
    ['command: mysql -h db', 0],
    ['command: ["sh", "-c", "mysqldump --all-databases"]', 0],
    ['entrypoint: /wait-for-it.sh', 0],
    ['entrypoint: ["sh", "-c", "chown x; exec docker-entrypoint.sh mysqld"]', 1],
    ['entrypoint: [mysqld, --max-connections=5]', 1],
    ['entrypoint: docker-entrypoint.sh', 1],
    ['command: mysqld_safe', 1],
    ['command: bash\n    volumes: ["./d:/var/lib/mysql"]', 1],
  ])('%s: %i databases', (line, count) => {
    expect(readProject({ 'compose.yaml': `${DB}    ${line}\n` }).database.services).toHaveLength(count);
  });
});

describe('clients', () => {
  const client = (lines: string): string => `  app:\n    image: example/app\n    ${lines}`;
  it.each([
    ['depends_on: [db]', 'user-bridge'],
    ['links: ["db:mysql"]', 'user-bridge'],
    ['environment: { URL: "mysql://u:p@db/x" }', 'user-bridge'],
    ['environment: ["DB_HOST=db"]', 'user-bridge'],
    ['environment: { URL: "jdbc:mysql://db:3306/x" }', 'user-bridge'],
    ['environment: { NAME: "mydb" }', undefined],
    ['depends_on: [db]\n    networks: [other]', undefined],
    ['network_mode: "service:db"', 'shared-netns'],
    ['depends_on: [db]\n    profiles: [never]', undefined],
  ])('%s: %s', (lines, kind) => {
    const { path } = readService('restart: always', client(lines));
    expect(path.client === null ? undefined : path.kind).toBe(kind);
  });

  it.each([
    ['image: mysql:8.4\n    command: mysqldump -h db shop\n    depends_on: [db]', 'from nothing'],
    ['image: mysql:8.4\n    entrypoint: sleep infinity\n    depends_on: [db]', 'from nothing'],
    ['image: example/queue\n    env_file: shared.env', 'from nothing'],
    ['image: example/app\n    env_file: shared.env\n    depends_on: [db]', 'from other'],
    ['image: example/app\n    env_file: own.env', 'from other'],
  ])('takes a published port before what isn’t an application: %s', (other, expected) => {
    const texts = { 'shared.env': 'DB_HOST=db\n', 'own.env': 'DB_HOST=db\n' };
    const { path } = readService('env_file: shared.env\nports: [3306]', `  other:\n    ${other}`, texts);
    expect(`from ${path.client ?? 'nothing'}`).toBe(expected);
  });

  it('says that other networks than bridges aren’t measured', () => {
    const rest = '  app: { image: x, depends_on: [db] }\nnetworks: { default: { driver: macvlan } }';
    const { path, warnings } = readService('restart: always', rest);
    expect(path.kind).toBe('user-bridge');
    expect(warnings.map(briefly)).toEqual(['6 compose.networkDriver']);
  });

  it('measures over the socket where there is no network', () => {
    const { path, warnings } = readService('network_mode: none');
    expect(path).toMatchObject({ kind: 'unix-socket', client: null });
    expect(warnings.map(briefly)).toEqual(['4 compose.noNetwork']);
  });
});
