import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { afterAll, beforeAll, expect } from 'vitest';
import { join } from 'node:path';
import * as z from 'zod';
import { temporaryHome } from '../../integration/helpers/bench.ts';
import { docker } from '../../integration/helpers/docker-server.ts';

const engines = ['docker-28', 'docker-28-containerd', 'podman-5', 'vm'] as const;
export type EngineName = (typeof engines)[number];

/** The engine that these tests run against (scripts/engines.mjs). */
export const ENGINE = z.enum(engines).parse(process.env['WHALEMARK_TEST_ENGINE']);

/** With clients in the engine's networks: names in them need NAT, which Debian's User Mode Linux doesn't have. */
export const HAS_BRIDGE = ENGINE !== 'vm';

/** Answers of the engine as they are. */
export function ask(path: string): Promise<unknown> {
  const socketPath = (process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock').replace(/^unix:\/\//, '');
  return new Promise((resolve, reject) => {
    const question = request({ socketPath, path }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => (text += part));
      answer.on('end', () => resolve(JSON.parse(text)));
    });
    question.on('error', reject);
    question.end();
  });
}

/** All that the engine has, but for the images that were there before. */
async function things(): Promise<Record<string, string[]>> {
  const list = async (...args: string[]): Promise<string[]> =>
    (await docker(...args)).split('\n').filter(Boolean).sort();
  return {
    containers: await list('ps', '--all', '--format', '{{.Names}}'),
    volumes: await list('volume', 'ls', '--quiet'),
    networks: await list('network', 'ls', '--format', '{{.Name}}'),
    images: [...new Set(await list('images', '--all', '--quiet', '--no-trunc'))],
  };
}

/** The program, with a data folder for one test file; what the file leaves on the engine fails it. */
export function program() {
  let home: Awaited<ReturnType<typeof temporaryHome>> | undefined;
  let before: Record<string, string[]> = {};
  beforeAll(async () => {
    home = await temporaryHome();
    before = await things();
  });
  afterAll(async () => {
    await whalemark(['clean', '--datasets']);
    await home?.remove();
    expect(await things()).toEqual(before);
  });
  const dataDir = (): string => {
    if (home === undefined) throw new Error('only in hooks and tests');
    return home.dataDir;
  };
  /** Runs a command of the terminal to its end. */
  const whalemark = async (args: readonly string[], env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, ['out/cli/whalemark.cjs', ...args], {
      env: {
        ...process.env,
        WHALEMARK_HOME: dataDir(),
        WHALEMARK_DATASETS: join(dataDir(), 'datasets'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
    child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
    const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { exitCode, stdout, stderr };
  };
  return { dataDir, whalemark };
}
