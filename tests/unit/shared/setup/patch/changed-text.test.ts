import { describe, expect, it } from 'vitest';
import type { SetupFacts } from '../../../../../src/shared/setup/patch/changed-text.ts';
import { applied, change, changed, type CHANGES, yaml } from './patched.ts';

interface Case {
  name: string;
  change: keyof typeof CHANGES;
  facts?: Partial<SetupFacts>;
  before: string;
  after: string;
}

const CASES: Case[] = [
  {
    name: 'replaces a folder in a list, and adds top-level volumes where there are none',
    change: 'volume',
    before: `
      # The shop.
      services:
        db:
          image: mysql:8.4   # pinned
          volumes:
            - ./data:/var/lib/mysql # moved in 2020
            - ./my.cnf:/etc/mysql/conf.d/my.cnf:ro

        app:
          image: shop
    `,
    after: `
      # The shop.
      services:
        db:
          image: mysql:8.4   # pinned
          volumes:
            - db-data:/var/lib/mysql # moved in 2020
            - ./my.cnf:/etc/mysql/conf.d/my.cnf:ro

        app:
          image: shop
      volumes:
        db-data:
    `,
  },
  {
    name: 'keeps quotes, and adds to the volumes that there are under a name that is free',
    change: 'volume',
    before: `
      version: "2.1"

      services:
          db:
              image: "mariadb:11"
              volumes:
              - "/srv/mysql:/var/lib/mysql:Z"
              - 'other:/other'

      volumes:
          db-data:
              driver: local
          other: {}
    `,
    after: `
      version: "2.1"

      services:
          db:
              image: "mariadb:11"
              volumes:
              - "db-data-2:/var/lib/mysql"
              - 'other:/other'

      volumes:
          db-data:
              driver: local
          other: {}
          db-data-2:
    `,
  },
  {
    name: 'fills empty top-level volumes, also before other fields',
    change: 'volume',
    before: `
      volumes: # all of them

      services:
        db:
          image: mysql
          volumes: ["./data:/var/lib/mysql/", logs:/logs]
    `,
    after: `
      volumes: # all of them
        db-data:

      services:
        db:
          image: mysql
          volumes: ["db-data:/var/lib/mysql", logs:/logs]
    `,
  },
  {
    name: 'replaces in the long syntax what belongs to a folder',
    change: 'volume',
    before: `
      services:
        db:
          image: mysql
          volumes:
            - type: bind
              source: ./data
              target: /var/lib/mysql
              # on a slow disk
              bind:
                create_host_path: true
              consistency: delegated
            - {type: bind, source: ./conf, target: /etc/mysql/conf.d}
      volumes: {}
    `,
    after: `
      services:
        db:
          image: mysql
          volumes:
            - type: volume
              source: db-data
              target: /var/lib/mysql
              # on a slow disk
            - {type: bind, source: ./conf, target: /etc/mysql/conf.d}
      volumes: {db-data: {}}
    `,
  },
  {
    name: 'gives a source to a mount of the long syntax without one',
    change: 'volume',
    before: `
      services:
        db:
          volumes:
          - tmpfs: {size: 1g}
            target: /var/lib/mysql
            type: tmpfs
          image: mysql
    `,
    after: `
      services:
        db:
          volumes:
          - target: /var/lib/mysql
            type: volume
            source: db-data
          image: mysql
      volumes:
        db-data:
    `,
  },
  {
    name: 'adds a mount to a service without one',
    change: 'volume',
    before: `
      services:
        db:
          image: mysql
    `,
    after: `
      services:
        db:
          image: mysql
          volumes:
            - db-data:/var/lib/mysql
      volumes:
        db-data:
    `,
  },
  {
    name: 'adds a mount to a service in braces',
    change: 'volume',
    before: `
      services: { db: { image: mysql, ports: ["3306:3306"] } }
    `,
    after: `
      services: { db: { image: mysql, ports: ["3306:3306"], volumes: [db-data:/var/lib/mysql] } }
      volumes:
        db-data:
    `,
  },
  {
    name: 'names a volume that had none',
    change: 'volume',
    before: `
      services:
        db:
          image: mysql
          volumes:
            - /var/lib/mysql
    `,
    after: `
      services:
        db:
          image: mysql
          volumes:
            - db-data:/var/lib/mysql
      volumes:
        db-data:
    `,
  },
  {
    name: 'replaces memory in tmpfs alone',
    change: 'volume',
    before: `
      services:
        db:
          image: mysql
          tmpfs: /var/lib/mysql:size=1g
          restart: always
    `,
    after: `
      services:
        db:
          image: mysql
          restart: always
          volumes:
            - db-data:/var/lib/mysql
      volumes:
        db-data:
    `,
  },
  {
    name: 'replaces memory in a list of tmpfs',
    change: 'volume',
    before: `
      services:
        db:
          image: mysql
          tmpfs:
            - /var/lib/mysql
            - /tmp
          volumes: [logs:/logs]
      volumes:
        logs:
    `,
    after: `
      services:
        db:
          image: mysql
          tmpfs:
            - /tmp
          volumes: [logs:/logs, db-data:/var/lib/mysql]
      volumes:
        logs:
        db-data:
    `,
  },
  {
    name: 'replaces a folder that a variable names, at a moved data directory',
    change: 'volume',
    facts: { datadir: '/data' },
    before: `
      services:
        db:
          image: mysql
          command: --datadir=/data
          volumes:
            - \${DATA:-./data}:/data:delegated
            - C:\\mysql:/var/lib/mysql
    `,
    after: `
      services:
        db:
          image: mysql
          command: --datadir=/data
          volumes:
            - db-data:/data
            - C:\\mysql:/var/lib/mysql
      volumes:
        db-data:
    `,
  },
  {
    name: 'replaces a volume with a driver by a plain one',
    change: 'volume',
    before: `
      volumes:
        data:
          driver_opts: { type: nfs, device: ":/exports", o: addr=nas }
      services:
        db:
          image: mysql
          volumes: ["data:/var/lib/mysql"]
    `,
    after: `
      volumes:
        data:
          driver_opts: { type: nfs, device: ":/exports", o: addr=nas }
        db-data:
      services:
        db:
          image: mysql
          volumes: ["db-data:/var/lib/mysql"]
    `,
  },
  {
    name: 'replaces a volume by a folder',
    change: 'folder',
    before: `
      services:
        db:
          image: mysql
          volumes:
            - data:/var/lib/mysql
      volumes:
        data:
    `,
    after: `
      services:
        db:
          image: mysql
          volumes:
            - ./db-data:/var/lib/mysql
      volumes:
        data:
    `,
  },
  {
    name: 'edits an extension field that only this service uses',
    change: 'volume',
    before: `
      x-base: &base
        volumes:
          - ./data:/var/lib/mysql
      services:
        db:
          <<: *base
          image: mysql
    `,
    after: `
      x-base: &base
        volumes:
          - db-data:/var/lib/mysql
      services:
        db:
          <<: *base
          image: mysql
      volumes:
        db-data:
    `,
  },
  {
    name: 'adds options to a service without a command',
    change: 'flush',
    before: `
      services:
        db:
          image: mysql
          environment:
            MYSQL_ROOT_PASSWORD: secret
        app:
          image: shop
    `,
    after: `
      services:
        db:
          image: mysql
          environment:
            MYSQL_ROOT_PASSWORD: secret
          command: --innodb-flush-log-at-trx-commit=2 --sync-binlog=0
        app:
          image: shop
    `,
  },
  {
    name: 'fills an empty command',
    change: 'binlog',
    before: `
      services:
        db:
          command:
          image: mysql
    `,
    after: `
      services:
        db:
          command: --skip-log-bin
          image: mysql
    `,
  },
  {
    name: 'replaces options of a text, and adds the others',
    change: 'flush',
    before: `
      services:
        db:
          command: mysqld --sync_binlog=1 --max-connections=500 # many
          image: mysql
    `,
    after: `
      services:
        db:
          command: mysqld --sync-binlog=0 --max-connections=500 --innodb-flush-log-at-trx-commit=2 # many
          image: mysql
    `,
  },
  {
    name: 'keeps the quotes of a text',
    change: 'binlog',
    before: `
      services:
        db:
          image: mysql
          command: '--log-bin=binlog --sql-mode="ANSI"'
    `,
    after: `
      services:
        db:
          image: mysql
          command: '--skip-log-bin --sql-mode="ANSI"'
    `,
  },
  {
    name: 'adds lines to a folded text',
    change: 'flush',
    before: `
      services:
        db:
          image: mysql
          command: >-
            --max-connections=500
            --innodb_flush_log_at_trx_commit 1
          ports: ["3306"]
    `,
    after: `
      services:
        db:
          image: mysql
          command: >-
            --max-connections=500
            --innodb-flush-log-at-trx-commit=2
            --sync-binlog=0
          ports: ["3306"]
    `,
  },
  {
    name: 'adds lines to a literal text and to a text of several lines',
    change: 'flush',
    before: `
      services:
        db:
          command: |
            mysqld
            --sync-binlog=1

          image: mysql
    `,
    after: `
      services:
        db:
          command: |
            mysqld
            --sync-binlog=0
            --innodb-flush-log-at-trx-commit=2

          image: mysql
    `,
  },
  {
    name: 'replaces and adds items of a list',
    change: 'flush',
    before: `
      services:
        db:
          image: mysql
          command:
          - docker-entrypoint.sh
          - mysqld
          # durable
          - "--innodb-flush-log-at-trx-commit"
          - "1"
          - --max-connections=500
          - --innodb_flush_log_at_trx_commit=1
          restart: always
    `,
    after: `
      services:
        db:
          image: mysql
          command:
          - docker-entrypoint.sh
          - mysqld
          # durable
          - "--innodb-flush-log-at-trx-commit=2"
          - --max-connections=500
          - --sync-binlog=0
          restart: always
    `,
  },
  {
    name: 'replaces and adds items of a list in brackets',
    change: 'flush',
    before: `
      services:
        db:
          image: mysql
          command: [ '--sync-binlog', '1', '--log-bin' ]
    `,
    after: `
      services:
        db:
          image: mysql
          command: [ '--sync-binlog=0', '--log-bin', --innodb-flush-log-at-trx-commit=2 ]
    `,
  },
  {
    name: 'removes limits of both kinds, with mappings that would be empty',
    change: 'limits',
    before: `
      services:
        db:
          image: mysql
          cpus: "1.5" # of 8
          mem_limit: 1g
          memswap_limit: 1g
          # Backups need it.
          deploy:
            resources:
              limits:
                cpus: "1"
                memory: 1G
          restart: always
    `,
    after: `
      services:
        db:
          image: mysql
          # Backups need it.
          restart: always
    `,
  },
  {
    name: 'keeps what else deploy has',
    change: 'limits',
    before: `
      services:
        db:
          image: mysql
          deploy:
            replicas: 1
            resources:
              limits: {cpus: "1", pids: 100, memory: 1G}
              reservations:
                memory: 512M
    `,
    after: `
      services:
        db:
          image: mysql
          deploy:
            replicas: 1
            resources:
              limits: {pids: 100}
              reservations:
                memory: 512M
    `,
  },
  {
    name: 'removes all limits in braces',
    change: 'limits',
    before: `
      services:
        db: {image: mysql, deploy: {resources: {limits: {cpus: "1"}}}, cpu_quota: 5000, cpu_period: 10000}
    `,
    after: `
      services:
        db: {image: mysql}
    `,
  },
  {
    name: 'puts the server on the host network, at its published port',
    change: 'host',
    facts: { port: 3307 },
    before: `
      services:
        db:
          image: mysql
          ports:
            - "127.0.0.1:3307:3306"
          networks: [back]
          command: [--bind-address=0.0.0.0]
          volumes:
            - data:/var/lib/mysql
      volumes:
        data:
      networks:
        back:
    `,
    after: `
      services:
        db:
          image: mysql
          command: [--bind-address=127.0.0.1, --port=3307]
          volumes:
            - data:/var/lib/mysql
          network_mode: host
      volumes:
        data:
      networks:
        back:
    `,
  },
  {
    name: 'removes a field with its last comment, which would become part of a text before it',
    change: 'host',
    before: `
      services:
        db:
          command: >
            --skip-name-resolve
          ports:
            - "3306:3306" # open
            # - "33060:33060"
          # Always.
          restart: always
    `,
    after: `
      services:
        db:
          command: >
            --skip-name-resolve
            --bind-address=127.0.0.1
          # Always.
          restart: always
          network_mode: host
    `,
  },
  {
    name: 'lets the server listen where it was published',
    change: 'host',
    facts: { port: 3306 },
    before: `
      services:
        db:
          image: mysql
          command: --port=3307
          ports: ["3306:3307"]
    `,
    after: `
      services:
        db:
          image: mysql
          command: --port=3306 --bind-address=127.0.0.1
          network_mode: host
    `,
  },
  {
    name: 'shows names of secrets where Git needs a line',
    change: 'volume',
    before: `
      services:
        db:
          extends: { file: base.yaml, service: base }
          volumes: [./data:/var/lib/mysql]
          secrets:
            - root
    `,
    after: `
      services:
        db:
          extends: { file: base.yaml, service: base }
          volumes: [db-data:/var/lib/mysql]
          secrets:
            - root
      volumes:
        db-data:
    `,
  },
  {
    name: 'replaces a network mode; of MySQL also the X protocol’s address',
    change: 'host',
    facts: { port: 3306, isMariaDb: false },
    before: `
      services:
        db:
          image: mysql
          network_mode: 'bridge'
          ports: ["3306:3306"]
    `,
    after: `
      services:
        db:
          image: mysql
          network_mode: 'host'
          command: --bind-address=127.0.0.1 --loose-mysqlx-bind-address=127.0.0.1
    `,
  },
];

const FORMS: [string, (text: string) => string][] = [
  ['LF', (text) => text],
  ['CRLF', (text) => text.replaceAll('\n', '\r\n')],
  ['no line break at its end', (text) => text.slice(0, -1)],
  ['a byte order mark', (text) => `\uFEFF${text}`],
];

describe('changedText', () => {
  describe.each(FORMS)('with %s', (_, form) => {
    it.each(CASES)('$name', ({ change: which, facts, before, after }) => {
      const [from, to] = [form(yaml(before)), form(yaml(after))];
      const { text, diff } = changed(from, which, facts);
      expect(text).toBe(to);
      expect(applied(from, diff)).toBe(to);
      const again = change(text, which, facts);
      expect('refusal' in again && again.refusal.code).toBe('setupPatch.refused.already');
    });
  });
});
