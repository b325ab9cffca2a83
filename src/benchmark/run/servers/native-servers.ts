import { join } from 'node:path';
import { readdir, stat } from 'node:fs/promises';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Scenario, ServerSetup } from '../../../shared/model/plan.ts';
import { rowCount } from '../../../shared/model/workload.ts';
import { ownOwner } from '../../machine/owner.ts';
import { ROW_SEED } from '../../dataset/dataset-key.ts';
import { unlessStopped } from '../../stop.ts';
import {
  BESIDE_DATA,
  createBindDirectory,
  removeBindDirectory,
} from '../../target/storage/bind-directory.ts';
import { initialiseDatadir, writeAccountFile } from '../../target/native/native-initialise.ts';
import { NativeServer } from '../../target/native/native-server.ts';
import { serverOptions, startEnv } from '../../target/server-options.ts';
import { SHUTDOWN_SECONDS, type RunningServer, type TargetServer } from '../../target/target-server.ts';
import type { Environment } from '../environment.ts';
import type { Cleanup } from '../cleanup.ts';
import { freePort } from './container-servers.ts';
import { step, type RunContext } from '../context.ts';
import { ENGLISH } from '../../../shared/words/i18n.ts';
import { pathText } from '../../../shared/words/labels.ts';

/**
 * A server program of this machine, started privately in a datadir of its own, as a stock instance is: same options
 * as the containers, tables filled with the plan's seed, and shut down cleanly. What it makes is handed to `cleanup`
 * before anything else can fail.
 */
export async function makeNativeServer(
  context: RunContext,
  environment: Environment,
  setup: ServerSetup,
  scenario: Scenario,
  cleanup: Cleanup,
): Promise<TargetServer> {
  const { signal } = context;
  const program = setup.native;
  if (program === null) throw new Error(`setup ${setup.id} has no native program`);
  const { serverId: id } = scenario;
  const onLog = (lines: string[]): void => context.emit({ type: 'server-log', serverId: id, lines });
  const name = `${environment.prefix}-native${environment.servers.size + 1}`;
  const mark = { owner: ownOwner(), runId: context.runId };
  const { directory, data } = await createBindDirectory(context.bindRoot, name, mark, context.dataDir);
  // The server runs as whoever we are, so that nobody else's files are in there.
  cleanup.add('storage', () =>
    removeBindDirectory(directory, () =>
      Promise.reject(new BenchmarkError('BIND_UNWRITABLE', { path: data, reason: 'EACCES' })),
    ),
  );
  const server = new NativeServer({
    id,
    program,
    options: [...serverOptions(program, setup.settings, context.plan.connections), ...setup.options],
    account: environment.account,
    directory,
    datadir: data,
    budgets: context.budgets,
    onLog,
    freePort,
  });
  cleanup.add('container', () => server.kill());

  const running = await step(context, 'init', id, async () => {
    const env = startEnv(program.flavour);
    await initialiseDatadir(program, data, { onLine: (line) => onLog([line]), env, signal });
    server.initFile = join(directory, BESIDE_DATA.account);
    const removeFile = await writeAccountFile(server.initFile, environment.account);
    try {
      return await server.start('initialisation', signal);
    } finally {
      server.initFile = undefined;
      await removeFile();
    }
  });
  await step(context, 'load', id, async (progress) => {
    await fillTables(context, environment, running, (fraction) => progress({ fraction, detail: '' }));
    const exitCode = await unlessStopped(signal, running.stop(SHUTDOWN_SECONDS));
    // Windows has no SIGTERM: there the server is ended at once and recovers at its next start.
    if (exitCode !== 0 && process.platform !== 'win32') {
      throw new BenchmarkError(
        'DATASET_FAILED',
        { reason: `the server did not shut down cleanly (exit code ${String(exitCode)})` },
        { evidence: running.logTail() },
      );
    }
  });
  const rows = rowCount(context.plan.workload);
  context.emit({ type: 'dataset-loaded', bytes: await bytesOf(data), rows });
  return server;
}

async function fillTables(
  { plan, budgets, signal }: RunContext,
  environment: Environment,
  running: RunningServer,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const client = environment.clients.here;
  const target = { ...running.address('loopback'), ...environment.account };
  const path = pathText('loopback', ENGLISH);
  const check = client.check(target, { path, budgetMs: budgets.pathMs, times: 3, signal });
  await Promise.race([running.failed, check]);
  await Promise.race([
    running.failed,
    client.prepare(target, plan.workload, { seed: ROW_SEED, onProgress, signal }),
  ]);
}

/** Size of all files in a folder, bytes. */
async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return bytesOf(path);
      return entry.isFile() ? (await stat(path)).size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
