import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownOwner } from '../../../src/benchmark/owners/owner.ts';
import { OWNER_LABEL, RUN_LABEL } from '../../../src/benchmark/runtime/labels.ts';
import { RunStore } from '../../../src/benchmark/store/run-store.ts';
import { temporaryHome } from '../helpers/bench.ts';
import { IMAGE } from '../runtime/fixture.ts';

const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8' }).trim();

/** The real engine, which lists nothing but what carries a run's label: others use it at the same time. */
function engineOf(runId: string, path: string) {
  const server = createServer((asked, answer) => {
    const url = new URL(asked.url ?? '/', 'http://engine');
    const filters = url.searchParams.get('filters');
    if (asked.method === 'GET' && filters !== null) {
      const { label = [], ...rest } = JSON.parse(filters) as { label?: string[] };
      url.searchParams.set(
        'filters',
        JSON.stringify({ ...rest, label: [...label, `${RUN_LABEL}=${runId}`] }),
      );
    }
    const passed = request(
      {
        socketPath: '/var/run/docker.sock',
        path: `${url.pathname}${url.search}`,
        method: asked.method,
        headers: asked.headers,
      },
      (said) => {
        answer.writeHead(said.statusCode ?? 500, said.headers);
        said.pipe(answer);
      },
    );
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  return new Promise<() => Promise<void>>((resolve) => {
    server.listen(path, () =>
      resolve(
        () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      ),
    );
  });
}

describe('clean --all', { tags: ['full'] }, () => {
  const runId = `20260601-093000-${randomBytes(2).toString('hex')}`;
  const away = `${randomBytes(6).toString('hex')}.4242.1`;
  const lost = `whalemark-${runId}-lost`;
  const living = `whalemark-${runId}-living`;
  const heir = `heir-${runId}`;
  let home: Awaited<ReturnType<typeof temporaryHome>>;
  let closeEngine: () => Promise<void>;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    home = await temporaryHome();
    const socket = join(home.dataDir, 'engine.sock');
    closeEngine = await engineOf(runId, socket);
    env = { ...process.env, WHALEMARK_HOME: home.dataDir, DOCKER_HOST: `unix://${socket}` };
    await (await new RunStore(home.dataDir).start(runId, away)).journal.close();
    // A user's container, which inherits the labels of its image.
    const labels = [`LABEL ${OWNER_LABEL}=${away}`, `LABEL ${RUN_LABEL}=${runId}`];
    const source = docker('create', IMAGE);
    docker('commit', ...labels.flatMap((label) => ['--change', label]), source, heir);
    docker('rm', source);
    docker('run', '-d', '--name', heir, '-v', '/notes', heir, 'sleep', '600');
  });
  afterAll(async () => {
    for (const name of [lost, living]) docker('volume', 'rm', '-f', name);
    docker('rm', '-f', '-v', heir);
    docker('rmi', heir);
    await closeEngine();
    await home.remove();
  });

  const volumes = (): string[] =>
    docker('volume', 'ls', '-q', '--filter', `label=${RUN_LABEL}=${runId}`).split('\n');
  const make = (name: string, owner: string): string =>
    docker(
      'volume',
      'create',
      '--label',
      `${OWNER_LABEL}=${owner}`,
      '--label',
      `${RUN_LABEL}=${runId}`,
      name,
    );

  async function said(program: string, args: string[], typed?: string) {
    const child = spawn(program, args, {
      env,
      stdio: [typed === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (part: Buffer) => {
        text += part.toString();
        // The answer is typed once the program asks.
        if (typed !== undefined && text.includes('[y/N]')) child.stdin?.end(typed);
      });
    }
    const exitCode = await new Promise((resolve) => child.once('close', resolve));
    return { exitCode, text };
  }
  const twin = (...args: string[]) => said(process.execPath, ['out/cli/whalemark.cjs', 'clean', ...args]);
  /** Runs the program on a separate terminal and types an answer. */
  const typing = (typed: string) =>
    said('script', ['-qec', `${process.execPath} out/cli/whalemark.cjs clean --all`, '/dev/null'], typed);

  it('asks before it removes what nobody can know to be dead, and never removes what lives', async () => {
    make(lost, away);
    make(living, ownOwner());
    const plain = await twin();
    expect(plain).toMatchObject({ exitCode: 0, text: expect.stringContaining('--all') });

    const refused = await twin('--all');
    expect(refused).toMatchObject({ exitCode: 2, text: expect.stringContaining('--force') });
    const line = refused.text.split('\n').find((one) => one.includes(lost));
    for (const fact of ['volume', runId, '4242', 'old']) expect(line).toContain(fact);
    for (const name of [living, heir]) expect(refused.text).not.toContain(name);

    expect(await typing('\n')).toMatchObject({ exitCode: 130 });
    expect(volumes()).toEqual([living, lost]);
    expect(await typing('y\n')).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining(`volume ${lost}`),
    });
    expect(volumes()).toEqual([living]);

    make(lost, `${randomBytes(6).toString('hex')}.4242.1`);
    const removed = await twin('--all', '--force', '--json');
    expect(removed.exitCode).toBe(0);
    expect(volumes()).toEqual([living]);
    expect(docker('inspect', '-f', '{{.State.Running}}', heir)).toBe('true');
  }, 60_000);
});
