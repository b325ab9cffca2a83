import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDockerFacts } from '../../../src/benchmark/runtime/discovery/docker-facts.ts';
import { discoverRuntimes } from '../../../src/benchmark/runtime/discovery/discover.ts';
import { probeEngine } from '../../../src/benchmark/runtime/discovery/probe.ts';
import { thisMachine } from '../../../src/benchmark/runtime/discovery/surroundings.ts';
import { diagnoseDocker } from '../../../src/shared/docker/docker-trouble.ts';

let directory = '';
let socket = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'whalemark-trouble-'));
  socket = join(directory, 'docker.sock');
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A socket file without a listener, as a killed engine leaves it. */
function leaveSocket(): void {
  const script = `require('net').createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, 'SIGKILL'))`;
  try {
    execFileSync(process.execPath, ['-e', script], { stdio: 'ignore' });
  } catch {
    // The program was killed, as it should.
  }
}

describe('Docker’s troubles on this machine', () => {
  it('a socket without an engine, asked for, is another one than the engine that runs', async () => {
    leaveSocket();
    const env = { DOCKER_CONFIG: directory, DOCKER_HOST: `unix://${socket}` };
    const report = await withDockerFacts(await discoverRuntimes({ surroundings: { ...thisMachine(), env } }));
    expect(report.attempts[0]?.error?.code).toBe('ENDPOINT_REFUSED');
    expect(diagnoseDocker(report)).toMatchObject({
      state: 'wrong-context',
      variable: 'DOCKER_HOST',
      usable: [{ id: 'context:default' }],
    });
  });

  it('an engine that does not answer is starting as long as its process runs', async () => {
    const env = { DOCKER_CONFIG: directory, DOCKER_HOST: `unix://${socket}` };
    const surroundings = {
      ...thisMachine(),
      env,
      // Only the abandoned socket is really asked: the engine of this machine is not there.
      probe: (...[connection, ...rest]: Parameters<typeof probeEngine>) =>
        connection.kind === 'socket' && connection.path === socket
          ? probeEngine(connection, ...rest)
          : Promise.reject(Object.assign(new Error('gone'), { code: 'ENOENT' })),
    };
    const report = await withDockerFacts(await discoverRuntimes({ surroundings }));
    expect(diagnoseDocker(report)).toMatchObject({ product: 'docker-engine' });
    expect(report.facts?.products[0]?.runningSeconds).toBeGreaterThan(0);
  });
});
