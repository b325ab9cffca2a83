import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { builtBy, copiedFiles } from '../../shared/compose/built.ts';
import { healthCheckOf } from '../../shared/compose/health-check.ts';
import { filesOfStart, type GivenFile, INIT_DIRECTORY } from '../../shared/compose/init-scripts.ts';
import { isWithin } from '../../shared/compose/storage.ts';
import type { DatabaseService, DatabaseSource } from '../../shared/model/database.ts';
import type { Task } from '../../shared/model/task.ts';
import { readProject } from '../compose/read-project.ts';
import type { FirstStart } from '../context/own-task.ts';
import { readApart } from '../reading/reader.ts';
import { databaseRefused } from './open-database.ts';

interface StartQuestion {
  source: DatabaseSource;
  service: DatabaseService;
  /** Another image is measured, without files that the Dockerfile copies. */
  isInstead: boolean;
}

export interface TimedStart {
  task: Extract<Task, { kind: 'ready' }>;
  start: FirstStart;
  scripts: number;
}

/** Rejects like `askCompose`. */
export async function readFirstStart(question: StartQuestion): Promise<TimedStart> {
  const [target = ''] = question.source.files;
  return readApart('first-start', firstStartHere, question, (reason) => databaseRefused(target, [reason]));
}

export async function firstStartHere({ source, service, isInstead }: StartQuestion): Promise<TimedStart> {
  const { around } = await readProject(source);
  const own = around.model.services?.[service.name] ?? {};
  const given = filesOfStart(own, around.model, service.storage.datadir);
  const built = await builtBy(own, around);
  const copied = await copiedFiles(built, own, around, isInit);
  const inImage = await presentFiles(copied);
  const mounted = await presentFiles(given);
  const secrets = await Promise.all(
    given.filter(({ target }) => isWithin(target, '/run/secrets')).map(({ source: path }) => textOf(path)),
  );
  const env = Object.fromEntries(
    Object.entries(own.environment ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
  const scripts = [...inImage, ...mounted].filter(({ target }) => isInit(target));
  const files = isInstead ? [...inImage, ...mounted] : mounted;
  return {
    scripts: scripts.length,
    task: {
      kind: 'ready',
      ownStart: {
        bytes: scripts.reduce((sum, script) => sum + unpackedBytes(script), 0),
        healthCheck: healthCheckOf(own),
      },
    },
    start: {
      env,
      mounts: files.map(({ source: path, target }) => ({
        type: 'bind',
        source: path,
        target,
        readOnly: true,
      })),
      hidden: [
        ...secrets,
        ...Object.entries(env)
          .filter(isPrivate)
          .map(([, value]) => value),
      ],
    },
  };
}

function isInit(target: string): boolean {
  return isWithin(target.replace(/\/$/, ''), INIT_DIRECTORY);
}

interface PresentFile extends GivenFile {
  bytes: number;
}

/** Sockets and devices are left out, and script folders are split. */
async function presentFiles(given: readonly GivenFile[]): Promise<PresentFile[]> {
  const found: PresentFile[] = [];
  for (const { source, target } of given) {
    const facts = await stat(source).catch(() => undefined);
    if (facts?.isDirectory() === true && target === INIT_DIRECTORY) {
      const names = await readdir(source);
      const inside = names.map((name) => ({ source: join(source, name), target: `${target}/${name}` }));
      found.push(...(await presentFiles(inside)));
    } else if (facts?.isFile() === true || facts?.isDirectory() === true)
      found.push({ source, target, bytes: facts.size });
  }
  return found;
}

const PACKED_BY = 6;

function unpackedBytes({ target, bytes }: PresentFile): number {
  return /\.(?:gz|xz|zst|bz2)$/.test(target) ? bytes * PACKED_BY : bytes;
}

async function textOf(path: string): Promise<string> {
  return (await readFile(path, 'utf8').catch(() => '')).trim();
}

const SECRET = /pass|pwd|secret|token|key|credential|private|auth/i;
/** Words in many texts that aren't secrets. */
const ORDINARY = /^(?:\d*|yes|no|true|false|on|off|utc|root|app|db|test|data|database|mysql|mariadb)$/i;

function isPrivate([name, value]: [name: string, value: string]): boolean {
  return value !== '' && (SECRET.test(name) || !ORDINARY.test(value));
}
