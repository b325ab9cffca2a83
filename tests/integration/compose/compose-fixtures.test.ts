import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { openDatabase } from '../../../src/benchmark/database/open-database.ts';
import { log, logFile, startLog, whoseMachine } from '../../../src/benchmark/log/log.ts';
import { toErrorData } from '../../../src/shared/errors.ts';
import type { Database, DatabasePath, DatabaseService } from '../../../src/shared/model/database.ts';
import { newFolder } from '../../helpers/folders.ts';

const FIXTURES = resolve('tests/fixtures/compose');

interface Case {
  fixture: string;
  target?: string | undefined;
  files?: string[];
  profiles?: string[];
  environment?: Record<string, string>;
}

const fixtureCase = (fixture: string): Case => ({ fixture });

const CASES: Case[] = [
  ...['blog', 'cloud', 'sail', 'shop', 'monitoring', 'lms'].map(fixtureCase),
  { fixture: 'ci', target: 'docker-compose.test.yml' },
  { fixture: 'layers', environment: { ROOT_PASSWORD: 'canary' } },
  {
    ...{ fixture: 'layers', target: 'compose.yaml', files: ['compose.prod.yaml'] },
    environment: { ROOT_PASSWORD: 'canary' },
  },
  { fixture: 'profiles', profiles: ['full'] },
  ...['built', 'moved', 'network-storage', 'sso'].map(fixtureCase),
  { fixture: 'spring', environment: { DB_TAG: '10.11' } },
  ...['own-image', 'cluster'].map(fixtureCase),
  { fixture: 'lando-made', target: 'database-1.yml', files: ['appserver-1.yml'] },
  ...['wp-env', 'laradock', 'helpdesk', 'drupal', 'shop-tests', 'erp', 'ddev', 'dockerfiles'].map(
    fixtureCase,
  ),
  ...['devcontainer', 'workflow', 'ddev-new', 'wp-env-new'].map(fixtureCase),
];

/** A path in words: "user-bridge from app", "published-port 3306". */
function pathText({ kind, client, port }: DatabasePath): string {
  return [
    kind,
    ...(client === null ? [] : [`from ${client}`]),
    ...(port === null ? [] : [String(port)]),
  ].join(' ');
}

function officialText({ official }: DatabaseService): string {
  if (official === null) return '';
  return `, ${official.isAlways ? 'measured as' : 'or else'} ${official.image}`;
}

function facts(folder: string, service: DatabaseService): object {
  const { storage, limits } = service;
  const { place } = storage;
  return {
    image: `${String(service.flavor)} ${service.image}${service.built ? ' (built)' : ''}${officialText(service)}`,
    storage: storage.kind,
    place: place?.startsWith(FIXTURES) === true ? relative(folder, place) : place,
    spec: storage.spec,
    datadir: storage.datadir,
    paths: [service.path, ...service.otherPaths].map(pathText),
    limits: [limits.cpus, limits.memoryMiB],
    options: service.options,
    files: service.configFiles.map((file) => basename(file)),
    platform: service.platform,
    warnings: service.warnings.map(({ code }) => code),
    refusal: service.refusal?.code ?? null,
  };
}

function opened({ fixture, target, files = [], profiles = [], environment = {} }: Case): Promise<Database> {
  const folder = join(FIXTURES, fixture);
  return openDatabase({
    target: target === undefined ? folder : join(folder, target),
    files: files.map((file) => join(folder, file)),
    profiles,
    environment: { ...process.env, ...environment },
  });
}

describe('Compose projects of many shapes', () => {
  it('are read as in the document of all', async () => {
    const texts: string[] = [];
    for (const one of CASES) {
      const database = await opened(one);
      const folder = join(FIXTURES, one.fixture);
      const read = Object.fromEntries(
        database.services.map((service) => [service.name, facts(folder, service)]),
      );
      // The fixtures' secrets are canaries.
      expect(JSON.stringify(database)).not.toMatch(/canary/i);
      texts.push(`# ${JSON.stringify(one)}\n${stringify(read)}`);
    }
    const file = join(process.cwd(), 'tests/fixtures/documents/compose-projects.txt');
    await expect(texts.join('\n').replaceAll(homedir(), '~')).toMatchFileSnapshot(file);
  });

  it('writes no such value into errors and the log', async () => {
    const dataDir = newFolder();
    const stop = startLog('cli', whoseMachine(dataDir));
    try {
      // Without its target or variables, each of these is refused.
      const lacking = CASES.filter(({ target, environment }) => (target ?? environment) !== undefined);
      const all = [...lacking.map(({ fixture }) => fixture), 'no-database'];
      const results = await Promise.allSettled(all.map((fixture) => opened({ fixture })));
      const errors = results.flatMap((one) => (one.status === 'rejected' ? [toErrorData(one.reason)] : []));
      expect(errors.map(({ code }) => code)).toContain('DATABASE_REFUSED');
      log.error('refused', { errors });
      expect(JSON.stringify(errors)).not.toMatch(/canary/i);
      expect(readFileSync(logFile(dataDir), 'utf8')).not.toMatch(/canary/i);
    } finally {
      stop();
    }
  });
});
