import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { JournalTail, runIdsOf } from './journal-tail.ts';
import { held, type Held } from './processes.ts';
import type { Subject } from './subject.ts';
import { countWindows, type WindowCounts } from './windows.ts';

const run = promisify(execFile);
const SAMPLE_MS = 2_000;
/** How often the engine is asked for the client's container as long as there is none. */
const CLIENT_EVERY = 5;
const BEGIN_MS = 120_000;

export interface Sample extends Held {
  /** ms since the soak began. */
  at: number;
  /** The long trial that was measured, or ''. */
  trial: string;
}

export interface SoakedRun {
  counts: WindowCounts;
  samples: Sample[];
  /** Of each measured trial, ms since the soak began. */
  spans: { from: number; to: number; name: string }[];
  /** After the run, back at home. */
  inside: Record<string, number>;
}

/** Lets one run go to its end and watches every process meanwhile. */
export async function soakRun(
  subject: Subject,
  home: string,
  presetId: string,
  since: number,
  mostMs: number,
): Promise<SoakedRun> {
  await subject.arrived();
  const known = new Set(runIdsOf(home));
  await subject.start(presetId);
  const journal = await JournalTail.ofNext(home, known, BEGIN_MS);
  const samples: Sample[] = [];
  const spans: SoakedRun['spans'] = [];
  let trial = '';
  let ended = false;
  const sampling = (async () => {
    let client: number | undefined;
    for (let round = 0; !ended; round++) {
      if (client === undefined && round % CLIENT_EVERY === 0) client = await clientOf(journal.runId);
      const processes = [
        ...(await subject.processes().catch(() => [])),
        ...(client === undefined ? [] : [{ role: 'client', pid: client }]),
      ];
      const at = Date.now() - since;
      for (const { role, pid } of processes) {
        const one = held(role, pid);
        if (one !== undefined) samples.push({ ...one, at, trial });
        else if (role === 'client') client = undefined;
      }
      await delay(SAMPLE_MS);
    }
  })();
  try {
    await journal.until(
      ({ type }) => type === 'run-finished',
      mostMs,
      (event) => {
        if (event.type === 'trial-phase' && event.phase === 'measure') {
          trial = event.trialId;
          spans.push({ from: event.at - since, to: event.at - since, name: event.trialId });
        }
        if (event.type === 'trial-finished' || event.type === 'trial-failed') trial = '';
        const last = spans.at(-1);
        if (event.type === 'trial-finished' && last !== undefined) last.to = event.at - since;
      },
    );
    await subject.settle();
  } finally {
    ended = true;
    await sampling;
  }
  const counts = await countWindows(home, journal.runId, await subject.arrived());
  return { counts, samples, spans, inside: await subject.inside() };
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
