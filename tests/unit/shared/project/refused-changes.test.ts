import { describe, expect, it } from 'vitest';
import { isKnownCode } from '../../../../src/shared/message.ts';
import { change, type CHANGES, yaml } from './patched.ts';

interface Refused {
  name: string;
  change: keyof typeof CHANGES;
  text: string;
  code: string;
  line?: number;
}

const REFUSED: Refused[] = [
  {
    name: 'an image of which a variable is a part',
    change: 'version',
    text: `
      services:
        db:
          image: mysql:\${VERSION:-8.4.3}
    `,
    code: 'variableImage',
    line: 3,
  },
  {
    name: 'a list that another service shares by its anchor',
    change: 'volume',
    text: `
      services:
        db:
          image: mysql
          volumes: &data
            - ./data:/var/lib/mysql
        backup:
          image: mysql
          volumes: *data
    `,
    code: 'shared',
    line: 8,
  },
  {
    name: 'an alias to a list of another service',
    change: 'volume',
    text: `
      services:
        old:
          image: mysql
          volumes: &data
            - ./data:/var/lib/mysql
        db:
          image: mysql
          volumes: *data
    `,
    code: 'shared',
    line: 5,
  },
  {
    name: 'a merge key that two services have',
    change: 'flush',
    text: `
      x-base: &base
        command: --sync-binlog=1
      services:
        db:
          <<: *base
          image: mysql
        replica:
          <<: [*base]
          image: mysql
    `,
    code: 'shared',
    line: 8,
  },
  {
    name: 'limits that come with extends from this file',
    change: 'limits',
    text: `
      services:
        base:
          image: mysql
          mem_limit: 1g
        db:
          extends:
            service: base
    `,
    code: 'extends',
    line: 4,
  },
  {
    name: 'the host network where another service names the server',
    change: 'host',
    text: `
      services:
        db: {image: mysql}
        app:
          environment:
            - DATABASE_URL=mysql://app@db:3306/shop
    `,
    code: 'named',
    line: 5,
  },
  {
    name: 'a volume that is one already',
    change: 'volume',
    text: `
      services:
        db:
          volumes: ["data:/var/lib/mysql"]
      volumes:
        data: {}
    `,
    code: 'already',
  },
  {
    name: 'a service that is gone',
    change: 'limits',
    text: `
      services:
        mysql: {image: mysql}
    `,
    code: 'noService',
    line: 1,
  },
];

describe('changedText refuses, with the place', () => {
  it.each(REFUSED)('$name', ({ change: which, text, code, line }) => {
    const result = change(yaml(text), which);
    if (!('refusal' in result)) throw new Error(result.diff);
    expect(result.refusal.code).toBe(`databasePatch.refused.${code}`);
    expect(isKnownCode(result.refusal.code)).toBe(true);
    expect(result.refusal.params['place']).toBe(line === undefined ? undefined : `compose.yaml:${line}`);
  });
});

it.each([
  ['flush', 'command: sh -c "exec mysqld --sync-binlog=1"', 'command'],
  ['flush', 'command: ${DB_COMMAND}', 'variable'],
  ['binlog', 'entrypoint: [/start.sh]', 'entrypoint'],
  ['flush', 'image: docker.io/bitnami/mariadb:11', 'image'],
  ['volume', 'volumes: ["device:/var/lib"]', 'mountAbove'],
  ['host', 'ports: !override ["3306:3306"]', 'tag'],
] as const)('the change %s of a service with %s is refused: %s', (which, line, code) => {
  expect(change(`services:\n  db:\n    ${line}\n`, which)).toMatchObject({
    refusal: { code: `databasePatch.refused.${code}`, params: { place: 'compose.yaml:3' } },
  });
});

it.each([
  ['volume', 'volumes: [&shared "./data:/var/lib/mysql"]', 'volumes: [*shared]'],
  ['flush', 'command: [&shared --sync-binlog=1]', 'command: [*shared]'],
] as const)('the change %s is refused where another service has the same item: %s', (which, line, other) => {
  const text = `services:\n  db:\n    ${line}\n  app:\n    ${other}\n`;
  expect(change(text, which)).toMatchObject({
    refusal: { code: 'databasePatch.refused.shared', params: { place: 'compose.yaml:3', name: 'shared' } },
  });
});

it.each([
  ['host', { isVm: true }, 'vm'],
  ['host', { client: 'app' }, 'client'],
  ['bridge', {}, 'clientMoves'],
  ['bridge', { client: 'app' }, 'clientThere'],
  ['limits', {}, 'already'],
] as const)('the change %s is refused with %j: %s', (which, facts, code) => {
  const result = change('services:\n  db: {image: mysql}\n', which, facts);
  expect(result).toMatchObject({ refusal: { code: `databasePatch.refused.${code}` } });
});

describe('changedText of several files', () => {
  const base = yaml(`
    services:
      db:
        image: mysql
        cpus: 1
        volumes:
          - ./data:/var/lib/mysql
  `);
  const override = yaml(`
    services:
      db:
        command: --sync-binlog=1
        ports: ["3306:3306"]
  `);
  const files = { 'compose.yaml': base, 'compose.override.yaml': override };

  it.each([
    ['volume', '/work/shop/compose.yaml'],
    ['limits', '/work/shop/compose.yaml'],
    ['flush', '/work/shop/compose.override.yaml'],
    ['host', '/work/shop/compose.override.yaml'],
  ] as const)('makes the change %s in the file that has it', (which, file) => {
    const result = change(files, which);
    expect('refusal' in result ? result.refusal.text : result.file).toBe(file);
  });

  it('refuses what comes with extends from another file', () => {
    const extending = yaml(`
      services:
        db:
          extends: {file: base.yaml, service: base}
    `);
    const texts = { 'compose.yaml': extending, 'base.yaml': base.replace('db:', 'base:') };
    expect(change(texts, 'limits')).toMatchObject({
      refusal: { code: 'databasePatch.refused.extends', params: { place: 'base.yaml:4', name: 'base' } },
    });
    expect(change(texts, 'flush')).toMatchObject({ file: '/work/shop/compose.yaml' });
  });

  it('refuses what is in both', () => {
    const result = change({ 'compose.yaml': base, 'b.yaml': `${override}    mem_limit: 1g\n` }, 'limits');
    expect('refusal' in result && result.refusal).toMatchObject({
      code: 'databasePatch.refused.severalFiles',
      params: { place: 'b.yaml:5' },
    });
  });
});
