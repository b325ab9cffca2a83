import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeId, type DatabaseChange } from '../../../../src/shared/model/database.ts';
import type { Project } from '../../../../src/shared/project/project.ts';
import {
  changedText,
  type ChangedText,
  type DatabaseFacts,
} from '../../../../src/shared/project/patch/patch.ts';
import { FOLDER, readProject } from './project-texts.ts';

export const FACTS: DatabaseFacts = {
  datadir: '/var/lib/mysql',
  home: '/var/lib/mysql',
  port: null,
  client: null,
  isVm: false,
  poolOptions: ['--innodb-buffer-pool-size=1024M', '--innodb-redo-log-capacity=1024M'],
  isMariaDb: true,
  newestImage: 'mysql:8.4',
};

export const CHANGES = {
  volume: { factor: 'storage', level: 'named-volume' },
  memory: { factor: 'storage', level: 'tmpfs' },
  folder: { factor: 'storage', level: 'bind-mount' },
  host: { factor: 'path', level: 'host-network' },
  bridge: { factor: 'path', level: 'user-bridge' },
  limits: { factor: 'server', level: 'without-limits' },
  flush: { factor: 'server', level: 'relaxed-flush' },
  pool: { factor: 'server', level: 'large-pool' },
  binlog: { factor: 'server', level: 'no-binary-log' },
  version: { factor: 'server', level: 'newest-version' },
} satisfies Record<string, DatabaseChange>;

/** The indentation of its first line is that of all. */
export function yaml(text: string): string {
  const lines = text.replace(/^\n/, '').replace(/\n *$/, '\n').split('\n');
  const indent = /^ */.exec(lines[0] ?? '')?.[0].length ?? 0;
  return lines.map((line) => line.slice(indent)).join('\n');
}

/** Of the service `db`; `texts` by their names, where later ones override. Throws if they can't be read. */
export function change(
  texts: string | Readonly<Record<string, string>>,
  which: keyof typeof CHANGES | readonly (keyof typeof CHANGES)[],
  facts: Partial<DatabaseFacts> = {},
): ReturnType<typeof changedText> {
  const changes = [which].flat().map((one) => CHANGES[one]);
  const [change = CHANGES.volume, ...others] = changes;
  const made: DatabaseChange =
    others.length === 0 ? change : { factor: 'together', level: changes.map(changeId).join('+') };
  return changedText(projectOf(texts), 'db', made, { ...FACTS, ...facts });
}

export function projectOf(texts: string | Readonly<Record<string, string>>): Project {
  const all = typeof texts === 'string' ? { 'compose.yaml': texts } : texts;
  const files = Object.keys(all).map((name) => `${FOLDER}/${name}`);
  const { project } = readProject(all, { files });
  const [problem] = project.problems;
  if (problem !== undefined) throw new Error(problem.text);
  return project;
}

/** Throws the reason if there is none. */
export function changed(...args: Parameters<typeof change>): ChangedText {
  const result = change(...args);
  if ('refusal' in result) throw new Error(result.refusal.text);
  return result;
}

/** What plain `git apply` makes of the file, in a folder of its own; `inside` is one of a repository. */
export function applied(text: string, diff: string, file = 'compose.yaml', inside = false): string {
  const root = mkdtempSync(join(tmpdir(), 'whalemark-patch-'));
  try {
    const folder = inside ? join(root, 'deploy') : root;
    if (inside) {
      mkdirSync(folder);
      execFileSync('git', ['init', '--quiet', root]);
    }
    if (text !== '') writeFileSync(join(folder, file), text);
    writeFileSync(join(folder, 'the.patch'), diff);
    const env = {
      ...process.env,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CEILING_DIRECTORIES: tmpdir(),
    };
    execFileSync('git', ['apply', 'the.patch'], { cwd: folder, env, stdio: 'pipe' });
    return readFileSync(join(folder, file), 'utf8');
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
