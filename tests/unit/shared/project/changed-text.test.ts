import { describe, expect, it } from 'vitest';
import type { DatabaseFacts } from '../../../../src/shared/project/patch/patch.ts';
import { applied, changed, type CHANGES, yaml } from './patched.ts';

interface Case {
  name: string;
  change: keyof typeof CHANGES;
  facts?: Partial<DatabaseFacts>;
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
    name: 'moves data from a volume to memory, and keeps what else is mounted',
    change: 'memory',
    before: `
      services:
        db-test:
          image: other
        db:
          image: mysql:8.4
          volumes:
            - data:/var/lib/mysql
            - ./my.cnf:/etc/mysql/conf.d/my.cnf:ro
      volumes:
        data:
    `,
    after: `
      services:
        db-test:
          image: other
        db:
          image: mysql:8.4
          volumes:
            - ./my.cnf:/etc/mysql/conf.d/my.cnf:ro
          tmpfs:
            - /var/lib/mysql
      volumes:
        data:
    `,
  },
  {
    name: 'adds memory to that which a service has',
    change: 'memory',
    before: `
      services:
        db:
          image: mysql
          tmpfs: [/tmp]
    `,
    after: `
      services:
        db:
          image: mysql
          tmpfs: [/tmp, /var/lib/mysql]
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
    name: 'replaces a folder that a variable names, at a moved data directory',
    change: 'volume',
    facts: { datadir: '/data' },
    before: `
      services:
        db:
          image: mysql
          command: --datadir=/data
          volumes:
            - \${DATA:-./data}:\${DATADIR:-/data}:delegated
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
    name: 'changes the image, in its quotes',
    change: 'version',
    before: `
      services:
        db:
          image: "mysql:8.4.3" # as in production
          restart: always
    `,
    after: `
      services:
        db:
          image: "mysql:8.4" # as in production
          restart: always
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
];

describe('changedText', () => {
  it.each(CASES)('$name', ({ change: which, facts, before, after }) => {
    const { text, diff } = changed(yaml(before), which, facts);
    expect(text).toBe(yaml(after));
    expect(applied(yaml(before), diff)).toBe(text);
  });
});
