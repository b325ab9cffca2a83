import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { App } from './app.ts';
import { followedRun, runIdsOf } from './journal.ts';
import { held, type Held } from './processes.ts';
import { countWindows, type WindowCounts } from './soak-windows.ts';

const run = promisify(execFile);
const SAMPLE_MS = 2_000;
/** How often the engine is asked for the client's container as long as there is none. */
const CLIENT_EVERY = 5;

export interface Sample extends Held {
  /** ms since the soak began. */
  at: number;
  /** The long trial that was measured, or ''. */
  trial: string;
}

export interface SoakedRun {
  counts: WindowCounts;
  samples: Sample[];
  /** After the run, back at home. */
  inside: Record<string, number>;
}

/** Lets one run go to its end and watches every process meanwhile. */
export async function soakRun(
  app: App,
  home: string,
  presetId: string,
  since: number,
  mostMs: number,
): Promise<SoakedRun> {
  await app.arrived();
  const known = await runIdsOf(home);
  const samples: Sample[] = [];
  let [trial, runId] = ['', ''];
  let ended = false;
  const following = followedRun(home, known, mostMs, (event) => {
    if (event.type === 'run-started') runId = event.runId;
    if (event.type === 'trial-phase' && event.phase === 'measure') trial = event.trialId;
    if (event.type === 'trial-finished' || event.type === 'trial-failed') trial = '';
  });
  const sampling = (async () => {
    let client: number | undefined;
    for (let round = 0; !ended; round++) {
      if (client === undefined && runId !== '' && round % CLIENT_EVERY === 0) client = await clientOf(runId);
      const processes = [
        ...(await app.processes().catch(() => [])).filter(({ role }) => role !== 'helper'),
        ...(client === undefined ? [] : [{ role: 'client', pid: client }]),
      ];
      const at = Date.now() - since;
      for (const process of processes) {
        const one = held(process);
        if (one !== undefined) samples.push({ ...one, at, trial });
        else if (process.role === 'client') client = undefined;
      }
      await delay(SAMPLE_MS);
    }
  })();
  try {
    await app.start(presetId);
    await following;
    await app.settle();
  } finally {
    ended = true;
    await sampling;
  }
  const counts = await countWindows(home, runId, await app.arrived());
  return { counts, samples, inside: await app.inside() };
}

/** Process number, as this machine sees it, of the client's container of a run. */
async function clientOf(runId: string): Promise<number | undefined> {
  const filters = ['--filter', `label=io.whalemark.run=${runId}`, '--filter', 'name=-client'];
  const { stdout } = await run('docker', ['ps', '--quiet', ...filters]);
  const [id = ''] = stdout.trim().split('\n');
  if (id === '') return undefined;
  const pid = Number((await run('docker', ['inspect', '--format', '{{.State.Pid}}', id])).stdout);
  return pid > 0 ? pid : undefined;
}
