import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { docker } from './docker-server.ts';

/** Texts by where they were seen. */
export type Seen = Map<string, string>;

/** A secret as it may turn up somewhere: as it is, in an address, in JSON, in base64, in hexadecimal digits. */
function formsOf(secret: string): [form: string, text: string][] {
  const bytes = Buffer.from(secret);
  return [
    ['plain', secret],
    ['URL', encodeURIComponent(secret)],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    // Padding and the last letter depend on what follows.
    ['base64', bytes.toString('base64').replace(/.=*$/, '')],
    ['hex', bytes.toString('hex')],
    ['own bytes in hex', Buffer.from(secret, 'base64url').toString('hex')],
  ];
}

/** Places where secrets were seen, in words; empty: none. */
export function whereSeen(seen: Seen, secrets: readonly string[]): string[] {
  const found = new Set<string>();
  for (const [number, secret] of secrets.entries()) {
    for (const [form, text] of formsOf(secret)) {
      for (const [place, content] of seen) {
        if (content.includes(text)) found.add(`${place}: secret ${number} (${form})`);
      }
    }
  }
  return [...found];
}

/**
 * Looks at the arguments and the environment of every process on the machine, again and again until it is ended.
 * `ignoreEnvironment`: containers whose own entry point may export what it was given.
 */
export function watchProcesses(ignoreEnvironment: () => readonly string[]): { end(): Seen } {
  const seen: Seen = new Map();
  /** Control groups by the place of an environment: which container is which may only be known later. */
  const groups = new Map<string, string>();
  const look = (): void => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const command = ofProcess(pid, 'cmdline');
      const place = `environment of ${pid} ${command}`;
      if (command === '' || seen.has(place)) continue;
      seen.set(`arguments of ${command}`, command);
      groups.set(place, ofProcess(pid, 'cgroup'));
      seen.set(place, ofProcess(pid, 'environ'));
    }
  };
  const timer = setInterval(look, 50);
  return {
    end: () => {
      clearInterval(timer);
      for (const [place, group] of groups) {
        if (ignoreEnvironment().some((container) => group.includes(container))) seen.delete(place);
      }
      return seen;
    },
  };
}

function ofProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    // The process has ended meanwhile.
    return '';
  }
}

/** All that the engine tells of a run: its objects inspected, its containers' logs, and their processes. */
export async function whatTheEngineTells(runId: string, moment: string): Promise<Seen> {
  const seen: Seen = new Map();
  const own = ['--filter', `label=io.whalemark.run=${runId}`];
  const ids = async (...list: string[]): Promise<string[]> =>
    (await docker(...list, '--quiet', ...own)).split('\n').filter((id) => id !== '');
  const tell = async (place: string, ...command: string[]): Promise<void> => {
    // A container that is gone by now has no log.
    const said = await docker(...command).catch(() => undefined);
    if (said !== undefined) seen.set(`${place} ${moment}`, said);
  };
  for (const id of await ids('ps', '--all', '--no-trunc')) {
    await tell(`docker inspect ${id.slice(0, 12)}`, 'inspect', id);
    await tell(`docker logs ${id.slice(0, 12)}`, 'logs', id);
    await tell(`docker top ${id.slice(0, 12)}`, 'top', id, '-eo', 'pid,args');
  }
  for (const name of [...(await ids('volume', 'ls')), ...(await datasetVolumes())]) {
    await tell(`docker volume inspect ${name}`, 'volume', 'inspect', name);
  }
  for (const id of await ids('network', 'ls'))
    await tell(`docker network inspect ${id}`, 'network', 'inspect', id);
  await tell('docker image ls', 'image', 'ls', '--no-trunc');
  return seen;
}

/** Datasets carry no run's label. */
async function datasetVolumes(): Promise<string[]> {
  const names = await docker('volume', 'ls', '--quiet', '--filter', 'name=whalemark-dataset');
  return names.split('\n').filter((name) => name !== '');
}

/** Every file below a folder. */
export async function filesBelow(folder: string): Promise<Seen> {
  const seen: Seen = new Map();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    seen.set(path, await readFile(path, 'latin1'));
  }
  return seen;
}
