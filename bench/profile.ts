import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { HostClient } from '../src/benchmark/load/client/clients.ts';
import type { OltpKind } from '../src/shared/kinds/mixes.ts';
import { OLTP_KINDS } from '../src/shared/model/names.ts';
import { Cleanup } from './lib/cleanup.ts';
import { flameGraph, type CpuProfile } from './lib/flame-graph.ts';
import { startRunServer, workloadOf } from './lib/server.ts';
import { runTrial } from './lib/trial.ts';

/* A flame graph of one load worker. */
const { values: args } = parseArgs({
  options: {
    kind: { type: 'string', default: 'oltp_read_write' },
    out: { type: 'string', default: 'test-results' },
  },
});
const kind: OltpKind = OLTP_KINDS.find((one) => one === args.kind) ?? 'oltp_read_write';
const cleanup = new Cleanup();

/** Profiles a worker from its third to its eighth second, when the compiler has settled. */
const profiler = (profile: string): string => `
const { Session } = require('node:inspector');
const { writeFileSync } = require('node:fs');
if (process.argv[2] === 'work') {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 100 });
  setTimeout(() => session.post('Profiler.start'), 3000).unref();
  setTimeout(() => session.post('Profiler.stop', (error, result) => {
    writeFileSync(${JSON.stringify(profile)}, JSON.stringify(result.profile));
  }), 8000).unref();
}
`;

await cleanup.around(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'whalemark-profile-'));
  cleanup.add(() => rm(folder, { recursive: true, force: true }));
  const server = await startRunServer('mysql', 64);
  cleanup.add(() => server.remove());
  const profilerFile = join(folder, 'profiler.cjs');
  const profileFile = join(folder, 'profile.json');
  await writeFile(profilerFile, profiler(profileFile));
  process.env['NODE_OPTIONS'] = `--require ${profilerFile}`;
  const client = new HostClient(resolve('out/main/client.cjs'));
  cleanup.add(client.close);
  const workload = workloadOf(kind);
  const { signal } = new AbortController();
  await client.prepare(server.bridgeTarget, workload, { seed: 1, onProgress: () => undefined, signal });
  const trial = { client, loadGenerator: 'builtin' as const, target: server.bridgeTarget, workload };
  await runTrial({ ...trial, connections: 8, seconds: 8, seed: 1 });
  const profile = JSON.parse(await readFile(profileFile, 'utf8')) as CpuProfile;
  await mkdir(args.out, { recursive: true });
  const file = join(args.out, 'hot-path.svg');
  await writeFile(file, flameGraph(profile, `${kind}, 8 connections, one load worker`));
  console.log(`wrote ${file}`);
});
