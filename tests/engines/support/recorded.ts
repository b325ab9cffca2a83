import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { arch, cpus, hostname, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { ask, ENGINE, type EngineName } from './engine.ts';

/** In tests/fixtures/runtimes. The machine with Docker 28 is like Lima's, and is none. */
const FOLDERS = {
  'docker-28': 'docker-engine-28',
  'docker-28-containerd': 'docker-engine-28-containerd',
  'podman-5': 'podman-5-rootful',
  vm: 'vm-docker-28',
} satisfies Record<EngineName, string>;

/** Address of the fixture's engine. */
const SOCKETS: Partial<Record<EngineName, string>> = {
  'podman-5': '/run/podman/podman.sock',
  vm: '/root/.lima/docker/sock/docker.sock',
};

/**
 * Fields of recorded answers that the engine doesn't give any more. UPDATE_FIXTURES=1 records again, with
 * replaced names, IDs, times, and paths of this machine.
 */
export async function missingFields(image: string, container: string): Promise<string[]> {
  const folder = join('tests/fixtures/runtimes', FOLDERS[ENGINE]);
  const paths: Record<string, string> = {
    version: '/version',
    info: '/info',
    image: `/images/${image}/json`,
    container: `/containers/${container}/json`,
    df: '/system/df',
  };
  const missing: string[] = [];
  const replaced = replacer();
  for (const [name, path] of Object.entries(paths)) {
    const answer = replaced(await ask(path));
    const file = join(folder, `${name}.json`);
    if (process.env['UPDATE_FIXTURES'] === '1') {
      await mkdir(folder, { recursive: true });
      await writeFile(file, `${JSON.stringify(answer, null, 2)}\n`);
    }
    const recorded = JSON.parse(await readFile(file, 'utf8')) as object;
    const gone = Object.keys(recorded).filter((field) => !(field in (answer as object)));
    missing.push(...gone.map((field) => `${field} of ${path}`));
  }
  if (process.env['UPDATE_FIXTURES'] === '1') {
    const [processor] = cpus();
    const host = { platform: 'linux', release: release(), architecture: arch(), cpuModel: processor?.model };
    const machine = {
      source: 'recorded',
      homeDirectory: '/root',
      uid: 0,
      env: ENGINE in SOCKETS ? { DOCKER_HOST: `unix://${SOCKETS[ENGINE]}` } : {},
      host: { ...host, cpus: cpus().length, memoryBytes: totalmem() },
      engineAt: [SOCKETS[ENGINE] ?? '/var/run/docker.sock'],
      files: {},
    };
    await writeFile(join(folder, 'machine.json'), `${JSON.stringify(machine, null, 2)}\n`);
  }
  return missing;
}

/** runc lists each of its features in one string. */
const LONGEST = 2000;

/** Replaces what belongs to this machine, the same by the same. */
function replacer(): (answer: unknown) => unknown {
  const ids = new Map<string, string>();
  const idOf = (id: string): string => {
    const known = ids.get(id.slice(0, 12)) ?? (ids.size + 1).toString(16).padStart(64, '0');
    ids.set(id.slice(0, 12), known);
    return known.slice(-id.length);
  };
  const text = (value: string): string =>
    value
      .replace(/\b[0-9a-f]{64}\b|\b[0-9a-f]{12}\b/g, idOf)
      .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'aaaaaaaa-0014-4000-8000-000000000014')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, '2026-01-01T00:00:00Z')
      .replace(/(?:\/[\w.-]+)+\/whalemark-dev\/engines\/[\w-]+\/data/g, '/var/lib/engine')
      .replaceAll(hostname(), 'machine');
  const replaced = (value: unknown): unknown => {
    if (typeof value === 'string') return value.length > LONGEST ? 'left out' : text(value);
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [text(name), replaced(one)]));
  };
  return replaced;
}
