import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { contentOf } from '../../shared/compose/other-projects.ts';
import { foundAt, textAt } from '../compose/found-file.ts';

interface Stack {
  name: string;
  /** The command that writes its Compose files. */
  start: string;
  /** Files for Compose, or the tool's own if they suffice; empty: none yet. */
  files: string[];
}

/** `folders`: levels up to the project. */
const MARKS: [pattern: RegExp, folders: number, read: (file: string, home: string) => Promise<Stack>][] = [
  [/(?:^|[\\/])\.ddev[\\/]config(?:\.[^\\/]+)?\.ya?ml$/, 2, ofDdev],
  [/(?:^|[\\/])\.lando(?:\.[^\\/]+)?\.yml$/, 1, ofLando],
  [/(?:^|[\\/])\.wp-env(?:\.override)?\.json$/, 1, ofWpEnv],
  [/(?:^|[\\/])\.devcontainer[\\/]devcontainer\.json$/, 2, ofDevcontainer],
  [/(?:^|[\\/])\.devcontainer[\\/][^\\/]+[\\/]devcontainer\.json$/, 3, ofDevcontainer],
  [/(?:^|[\\/])\.?devcontainer\.json$/, 1, ofDevcontainer],
];

export function stackIn(file: string): string | undefined {
  const mark = MARKS.find(([pattern]) => pattern.test(file));
  let folder = mark === undefined ? undefined : file;
  for (let up = 0; folder !== undefined && up < (mark?.[1] ?? 0); up += 1) folder = dirname(folder);
  return folder;
}

export async function stackOf(file: string, home: string): Promise<Stack | undefined> {
  const mark = MARKS.find(([pattern]) => pattern.test(file));
  return mark?.[2](file, home);
}

/** The preferred files come first. */
export async function stacksIn(folder: string): Promise<string[]> {
  const inside = await namesIn(join(folder, '.devcontainer'));
  const files = [
    ...['.ddev/config.yaml', '.lando.yml', '.wp-env.json'],
    ...['.devcontainer/devcontainer.json', '.devcontainer.json', 'devcontainer.json'],
    ...inside.map((name) => `.devcontainer/${name}/devcontainer.json`),
  ].map((file) => join(folder, file));
  const found: string[] = [];
  for (const file of files) if ((await foundAt(file)).kind === 'text') found.push(file);
  return found;
}

/** Empty if the folder can't be read. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  const found = await foundAt(folder);
  return found.kind === 'folder' ? found.names : [];
}

async function ofDdev(file: string): Promise<Stack> {
  const folder = dirname(file);
  const names = await namesIn(folder);
  const whole = '.ddev-docker-compose-full.yaml';
  const own = ['config.yaml', ...names.filter((name) => /^docker-compose\..+\.ya?ml$/.test(name))];
  const files = (names.includes(whole) ? [whole] : own).map((name) => join(folder, name));
  return { name: 'DDEV', start: 'ddev start', files };
}

async function ofLando(file: string, home: string): Promise<Stack> {
  const folder = dirname(file);
  const text = await textAt(join(folder, '.lando.yml'));
  const [, name = basename(folder)] = /^name:\s*["']?([^"'#\r\n]+)/m.exec(text) ?? [];
  const made = join(home, '.lando', 'compose', name.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const files = (await namesIn(made)).filter((one) => /\.ya?ml$/.test(one));
  return { name: 'Lando', start: 'lando start', files: files.map((one) => join(made, one)) };
}

/** Older names of wp-env's folders are only the hash of the project's path. */
async function ofWpEnv(file: string, home: string): Promise<Stack> {
  const own = join(dirname(file), '.wp-env.json');
  const hash = createHash('md5').update(own).digest('hex');
  const places = [process.env['WP_ENV_HOME'] ?? '', join(home, '.wp-env'), join(home, 'wp-env')];
  for (const place of places.filter((one) => one !== '')) {
    const name = (await namesIn(place)).find((one) => one === hash || one.endsWith(`-${hash.slice(0, 8)}`));
    const made = join(place, name ?? '', 'docker-compose.yml');
    if (name !== undefined && (await foundAt(made)).kind === 'text')
      return { name: 'wp-env', start: 'wp-env start', files: [made] };
  }
  return { name: 'wp-env', start: 'wp-env start', files: [own] };
}

const devcontainerSchema = z.object({ dockerComposeFile: z.union([z.string(), z.array(z.string())]) });

async function ofDevcontainer(file: string): Promise<Stack> {
  const { data } = devcontainerSchema.safeParse(contentOf(await textAt(file)));
  const files = data === undefined ? [] : [data.dockerComposeFile].flat();
  return {
    ...{ name: 'Dev container', start: 'devcontainer up' },
    files: files.map((one) => resolve(dirname(file), one)),
  };
}
