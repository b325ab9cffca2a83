import { describe, expect, it } from 'vitest';
import { isKnownCode } from '../../../../../src/shared/message.ts';
import type { SetupFacts } from '../../../../../src/shared/setup/patch/changed-text.ts';
import { change, type CHANGES, yaml } from './patched.ts';

interface Refused {
  name: string;
  change: keyof typeof CHANGES;
  facts?: Partial<SetupFacts>;
  text: string;
  code: string;
  line?: number;
}

const REFUSED: Refused[] = [
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
    name: 'a service that another one merges',
    change: 'flush',
    text: `
      services:
        db: &db
          image: mysql
        replica:
          <<: *db
    `,
    code: 'shared',
    line: 5,
  },
  {
    name: 'a tag of Compose on what would change',
    change: 'host',
    text: `
      services:
        db:
          image: mysql
          ports: !override
            - "3306:3306"
    `,
    code: 'tag',
    line: 5,
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
    name: 'a command that may come with extends from another file',
    change: 'flush',
    text: `
      services:
        db:
          extends: {file: base.yaml, service: base}
    `,
    code: 'extendsFile',
    line: 3,
  },
  {
    name: 'a command in a variable',
    change: 'flush',
    text: `
      services:
        db:
          image: mysql
          command: \${DB_COMMAND}
    `,
    code: 'variable',
    line: 4,
  },
  {
    name: 'a path in the container that a variable has',
    change: 'volume',
    text: `
      services:
        db:
          image: mysql
          volumes:
            - ./logs:/logs
            - ./data:\${DATADIR}
    `,
    code: 'mountVariable',
    line: 6,
  },
  {
    name: 'a mount above the data directory',
    change: 'volume',
    facts: { datadir: '/srv/volume/mysql' },
    text: `
      services:
        db:
          volumes: ["device:/srv/volume"]
    `,
    code: 'mountAbove',
    line: 3,
  },
  {
    name: 'a shell instead of the server',
    change: 'flush',
    text: `
      services:
        db:
          command: sh -c "exec mysqld --sync-binlog=1"
    `,
    code: 'command',
    line: 3,
  },
  {
    name: 'an entrypoint of the service',
    change: 'binlog',
    text: `
      services:
        db:
          entrypoint: [/start.sh]
          command: --log-bin
    `,
    code: 'entrypoint',
    line: 3,
  },
  {
    name: 'options of an image that starts the server another way',
    change: 'flush',
    text: `
      services:
        db:
          image: docker.io/bitnami/mariadb:11
    `,
    code: 'image',
    line: 3,
  },
  {
    name: 'a comment with a password on the line that Git needs',
    change: 'volume',
    text: `
      services:
        db:
          volumes: ["./d:/var/lib/mysql"]
          # root password: hunter2
          image: mysql
    `,
    code: 'secretLine',
    line: 4,
  },
  {
    name: 'the host network of a VM',
    change: 'host',
    facts: { isVm: true },
    text: `
      services:
        db: {image: mysql}
    `,
    code: 'vm',
  },
  {
    name: 'the host network where a service of the project connects',
    change: 'host',
    facts: { client: 'app' },
    text: `
      services:
        db: {image: mysql}
    `,
    code: 'client',
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
    name: 'the bridge as a change of the server',
    change: 'bridge',
    text: `
      services:
        db: {image: mysql}
    `,
    code: 'clientMoves',
  },
  {
    name: 'the bridge where a service already uses it',
    change: 'bridge',
    facts: { client: 'app' },
    text: `
      services:
        db: {image: mysql}
    `,
    code: 'clientThere',
  },
  {
    name: 'limits where there are none',
    change: 'limits',
    text: `
      services:
        db: {image: mysql}
    `,
    code: 'already',
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
  {
    name: 'a file that isn’t a mapping',
    change: 'limits',
    text: `
      - db
    `,
    code: 'noService',
    line: 1,
  },
  {
    name: 'a file that isn’t YAML',
    change: 'limits',
    text: `
      services:
        db: {image: mysql
    `,
    code: 'unreadable',
    line: 3,
  },
  {
    name: 'a secret on a line that changes',
    change: 'volume',
    text: `
      services:
        db: {image: mysql, environment: {MYSQL_ROOT_PASSWORD: hunter2}, volumes: ["./d:/var/lib/mysql"]}
    `,
    code: 'secretLine',
    line: 2,
  },
  {
    name: 'a secret among the words of a command that changes',
    change: 'flush',
    text: `
      services:
        db:
          image: mysql
          command: --keyring-password=hunter2 --sync-binlog=1
    `,
    code: 'secretLine',
    line: 4,
  },
  {
    name: 'a secret on the line that Git needs',
    change: 'volume',
    text: `
      services:
        db:
          volumes: ["./d:/var/lib/mysql"]
          environment: [MYSQL_ROOT_PASSWORD=hunter2]
          image: mysql
    `,
    code: 'secretLine',
    line: 4,
  },
];

describe('changedText refuses, with the place', () => {
  it.each(REFUSED)('$name', ({ change: which, facts, text, code, line }) => {
    const result = change(yaml(text), which, facts);
    if (!('refusal' in result)) throw new Error(result.diff);
    expect(result.refusal.code).toBe(`setupPatch.refused.${code}`);
    expect(isKnownCode(result.refusal.code)).toBe(true);
    expect(result.refusal.params['place']).toBe(line === undefined ? undefined : `compose.yaml:${line}`);
    expect(JSON.stringify(result.refusal)).not.toContain('hunter2');
  });
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
  const files = [
    { file: '/shop/compose.yaml', text: base },
    { file: '/shop/compose.override.yaml', text: override },
  ];

  it.each([
    ['volume', '/shop/compose.yaml'],
    ['limits', '/shop/compose.yaml'],
    ['flush', '/shop/compose.override.yaml'],
    ['host', '/shop/compose.override.yaml'],
  ] as const)('makes the change %s in the file that has it', (which, file) => {
    const result = change(files, which);
    expect('refusal' in result ? result.refusal.text : result.file).toBe(file);
  });

  it('refuses what is in both', () => {
    const more = [files[0], { file: '/shop/b.yaml', text: `${override}    mem_limit: 1g\n` }].filter(
      (one) => one !== undefined,
    );
    const result = change(more, 'limits');
    expect('refusal' in result && result.refusal).toMatchObject({
      code: 'setupPatch.refused.severalFiles',
      params: { place: 'b.yaml:5' },
    });
  });
});
