import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Case {
  fixture: string;
  target?: string | undefined;
  files?: string[];
  profiles?: string[];
  environment?: Record<string, string>;
  services: Record<string, object>;
}

const NAMED = { storage: 'named-volume', spec: { kind: 'named-volume' }, datadir: '/var/lib/mysql' };
const NOTHING_ODD = { warnings: [], refusal: null };

/** What is read of each project in tests/fixtures/compose. */
export const CASES: Case[] = [
  {
    fixture: 'blog',
    services: {
      db: {
        ...NAMED,
        ...NOTHING_ODD,
        image: 'mysql mysql:8.0',
        place: 'blog_dbdata',
        paths: ['user-bridge from blog'],
        limits: [null, null],
        options: [],
      },
    },
  },
  {
    fixture: 'cloud',
    services: {
      db: {
        ...NOTHING_ODD,
        image: 'mariadb mariadb:10.6',
        storage: 'bind-mount',
        place: 'database',
        options: ['--transaction-isolation=READ-COMMITTED', '--log-bin', '--binlog-format=ROW'],
        paths: ['user-bridge from app'],
      },
    },
  },
  {
    fixture: 'sail',
    services: {
      mysql: {
        ...NAMED,
        warnings: ['compose.said'],
        refusal: null,
        image: 'mysql mysql/mysql-server:8.0',
        place: 'sail_sail-mysql',
        paths: ['user-bridge from laravel.test', 'published-port 33060'],
      },
    },
  },
  {
    fixture: 'shop',
    services: {
      db: {
        ...NAMED,
        image:
          'percona percona/percona-server:8.0.36@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
        place: 'shop_database',
        paths: ['user-bridge from php', 'published-port 13306'],
        limits: [2.5, 4096],
        options: [
          ...['--max_connections=400', '--slow_query_log=1', '--tmp_table_size=64M'],
          ...['--innodb_buffer_pool_size=2G', '--max_allowed_packet=1024M'],
        ],
        files: ['my.cnf', '10-log.cnf', '20-memory.cnf'],
        warnings: ['compose.droppedOption', 'compose.droppedOption'],
        refusal: null,
      },
    },
  },
  {
    fixture: 'monitoring',
    services: {
      'mysql-server': {
        ...NOTHING_ODD,
        image: 'mysql mysql:8.4',
        storage: 'bind-mount',
        place: 'state/mysql',
        options: ['--wait_timeout=600', '--character-set-server=utf8mb4', '--skip-log-bin'],
        files: ['my.cnf'],
        paths: ['user-bridge from server', 'user-bridge from web', 'user-bridge from mysql-exporter'],
      },
    },
  },
  {
    fixture: 'lms',
    services: {
      mariadb: {
        ...NAMED,
        warnings: ['compose.ownStart'],
        refusal: null,
        image: 'mariadb docker.io/bitnami/mariadb:11.4, measured as mariadb:11.4',
        place: 'lms_mariadb_data',
        datadir: '/bitnami/mariadb/data',
        options: [],
        limits: [1.5, 1536],
        paths: ['user-bridge from lms'],
      },
    },
  },
  {
    fixture: 'ci',
    target: 'docker-compose.test.yml',
    services: {
      db: {
        ...NOTHING_ODD,
        image: 'mysql registry.example.com:5000/mirror/library/mysql:8.0-debian',
        storage: 'tmpfs',
        spec: { kind: 'tmpfs', sizeMiB: 512 },
        platform: 'linux/amd64',
        options: [
          '--max-connections=1000',
          '--innodb-flush-log-at-trx-commit=0',
          '--sql-mode=STRICT_TRANS_TABLES,NO_ZERO_DATE',
        ],
        paths: ['user-bridge from test'],
      },
    },
  },
  {
    fixture: 'layers',
    environment: { ROOT_PASSWORD: 'canary' },
    services: {
      database: {
        ...NOTHING_ODD,
        storage: 'bind-mount',
        place: 'data',
        options: ['--max-connections=50', '--skip-name-resolve'],
        paths: ['user-bridge from web', 'published-port 3307'],
        limits: [null, null],
      },
    },
  },
  {
    fixture: 'layers',
    environment: { ROOT_PASSWORD: 'canary' },
    target: 'compose.yaml',
    files: ['compose.prod.yaml'],
    services: {
      database: {
        ...NAMED,
        ...NOTHING_ODD,
        place: 'layered_db',
        options: ['--max-connections=100'],
        paths: ['user-bridge from web'],
        limits: [1, 2048],
      },
    },
  },
  {
    fixture: 'profiles',
    profiles: ['full'],
    services: {
      mysql: {
        image: 'mysql mysql:9',
        storage: 'anonymous-volume',
        paths: ['user-bridge'],
        warnings: ['compose.noClient'],
      },
      mariadb: {
        storage: 'anonymous-volume',
        spec: { kind: 'anonymous-volume' },
        paths: ['user-bridge'],
      },
      percona: {
        ...NOTHING_ODD,
        storage: 'bind-mount',
        place: join(homedir(), 'percona'),
        paths: ['host-network 3306'],
      },
    },
  },
  {
    fixture: 'built',
    services: {
      db: {
        ...NAMED,
        image: 'mysql built-db (built), or else mysql:8.4',
        paths: ['shared-netns from worker'],
        warnings: ['compose.notApplied'],
        refusal: null,
      },
      inline: {
        image: 'mariadb built-inline (built), or else docker.io/library/mariadb:11',
        storage: 'anonymous-volume',
        paths: ['unix-socket from reports'],
      },
    },
  },
  {
    fixture: 'moved',
    services: {
      db: {
        storage: 'bind-mount',
        place: '../elsewhere',
        datadir: '/data/mysql',
        options: ['--innodb-buffer-pool-size=1G'],
        paths: ['published-port 3307'],
        warnings: ['compose.notAnOption'],
      },
      scratch: { storage: 'container-layer', datadir: '/srv/mysql', spec: { kind: 'container-layer' } },
    },
  },
  {
    fixture: 'network-storage',
    services: {
      nfs: {
        storage: 'nfs',
        place: 'network-storage_shared',
        spec: {
          kind: 'nfs',
          nfs: { address: '10.0.0.7', path: '/export/mysql', version: '4.1', soft: true, lock: true },
        },
        warnings: ['compose.insideVolume', 'compose.noClient'],
      },
      odd: {
        storage: 'volume-options',
        spec: { kind: 'volume-options', options: { type: 'ext4', device: '/dev/sdz1', o: 'noatime' } },
      },
      memory: { storage: 'tmpfs', spec: { kind: 'tmpfs', sizeMiB: 256 } },
      folder: { storage: 'bind-mount', place: '/srv/fast/mysql', spec: { kind: 'bind-mount' } },
      cloud: {
        storage: 'named-volume',
        spec: null,
        refusal: 'compose.volumeDriver',
      },
      'windows-share': {
        storage: 'volume-options',
        spec: null,
        refusal: 'compose.volumeOptions',
      },
      given: {
        storage: 'named-volume',
        place: 'production-data',
        warnings: ['compose.externalVolume', 'compose.noClient'],
      },
    },
  },
  {
    fixture: 'sso',
    services: {
      'keycloak-db': {
        ...NAMED,
        warnings: ['compose.ownStart'],
        refusal: null,
        image: 'mysql quay.io/sclorg/mysql-80-c9s:latest, measured as mysql:8.0',
        datadir: '/var/lib/mysql/data',
        paths: [
          'user-bridge from keycloak',
          'published-port 3306',
          'published-port 3310',
          'user-bridge from phpmyadmin',
        ],
      },
    },
  },
  {
    fixture: 'spring',
    environment: { DB_TAG: '10.11' },
    services: {
      mariadb: {
        image: 'mariadb mariadb:10.11',
        options: [],
        paths: ['user-bridge from app'],
        warnings: ['compose.entrypoint', 'compose.otherProgram', 'compose.notApplied'],
        refusal: null,
      },
    },
  },
  {
    fixture: 'own-image',
    services: {
      db: {
        ...NAMED,
        image: 'mariadb ghcr.io/acme/magento2-sql:prod',
        paths: ['user-bridge from backup'],
        warnings: ['compose.guessedImage'],
        refusal: null,
      },
    },
  },
  {
    fixture: 'cluster',
    services: {
      node: { image: 'percona percona/percona-xtradb-cluster:8.0', refusal: 'compose.cluster' },
      swarm: { refusal: 'compose.replicas' },
    },
  },
  {
    fixture: 'lando-made',
    target: 'database-1.yml',
    files: ['appserver-1.yml'],
    services: {
      database: {
        ...NAMED,
        image: 'mysql bitnami/mysql:8.0.37-debian-12-r2, measured as mysql:8.0.37',
        datadir: '/bitnami/mysql/data',
        place: 'lando-made_data_database',
        paths: ['user-bridge from appserver', 'published-port'],
        warnings: ['compose.ownStart'],
        refusal: null,
      },
    },
  },
  {
    fixture: 'wp-env',
    services: {
      mysql: {
        ...NAMED,
        ...NOTHING_ODD,
        image: 'mariadb mariadb:lts',
        place: 'wp-env_mysql',
        paths: ['user-bridge from wordpress', 'published-port'],
      },
      'tests-mysql': {
        ...NAMED,
        ...NOTHING_ODD,
        paths: ['user-bridge from tests-wordpress', 'published-port'],
      },
    },
  },
  {
    fixture: 'laradock',
    services: {
      mysql: {
        ...NOTHING_ODD,
        image: 'mysql laradock-mysql (built), or else mysql:8.4',
        storage: 'bind-mount',
        place: 'data/mysql',
        paths: ['user-bridge from php-fpm', 'published-port 3306'],
        files: ['my.cnf'],
      },
    },
  },
  {
    fixture: 'helpdesk',
    services: {
      db: {
        image: 'mysql bitnamilegacy/mysql:8.0.40-debian-12-r4, measured as mysql:8.0.40',
        storage: 'bind-mount',
        place: 'data',
        datadir: '/bitnami/mysql/data',
        paths: ['user-bridge from desk'],
        options: ['--max_allowed_packet=64M', '--max-connections=300', '--innodb-buffer-pool-size=1G'],
        files: ['my_custom.cnf'],
        warnings: ['compose.droppedOption', 'compose.ownStart'],
        refusal: null,
      },
    },
  },
  {
    fixture: 'drupal',
    services: {
      mariadb: {
        image: 'mariadb wodby/mariadb:11.4-3.30.0, or else mariadb:11.4',
        storage: 'anonymous-volume',
        paths: ['user-bridge from php'],
        warnings: ['compose.unknownOwner'],
        refusal: null,
      },
    },
  },
  {
    fixture: 'shop-tests',
    services: {
      db: { ...NAMED, ...NOTHING_ODD, paths: ['user-bridge from phpunit'] },
      'db-test': {
        ...NOTHING_ODD,
        storage: 'bind-mount',
        place: 'test-data',
        options: ['--innodb-flush-log-at-trx-commit=0'],
      },
    },
  },
  {
    fixture: 'erp',
    services: {
      db: {
        ...NAMED,
        ...NOTHING_ODD,
        image: 'mariadb mariadb:10.6',
        options: [
          '--character-set-server=utf8mb4',
          '--skip-character-set-client-handshake',
          '--skip-innodb-read-only-compressed',
        ],
        paths: ['user-bridge from configurator'],
      },
    },
  },
  {
    fixture: 'ddev',
    services: {
      db: {
        ...NAMED,
        image: 'mysql ddev/ddev-dbserver-mysql-8.0:v1.24.10-my-drupal-built (built), measured as mysql:8.0',
        place: 'my-drupal-mariadb',
        paths: ['user-bridge from web', 'published-port 33060'],
        limits: [null, 2048],
        files: ['tuning.cnf'],
        warnings: ['compose.ownStart', 'compose.externalVolume', 'yourDatabase.leftOut'],
        refusal: null,
      },
    },
  },
];
