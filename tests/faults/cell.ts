import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunEvent } from '../../src/shared/model/events.ts';
import { bystander } from './bystander.ts';
import { checkAfterFault, leftOnEngine, outcomeOf } from './checks.ts';
import { continueRun } from './continuing.ts';
import type { FaultEngine } from './engine.ts';
import type { Fault, Scene } from './fault.ts';
import { followJournal } from './journal-watch.ts';
import { isMoment, type Phase } from './phases.ts';
import { presetOf } from './preset.ts';
import { whalemark } from './program.ts';
import type { CellResult } from './results.ts';

const run = promisify(execFile);
/** A run of this size takes half a minute; after this it hangs. */
const RUN_DEADLINE_MS = 180_000;
const COMMAND_DEADLINE_MS = 60_000;

/** Runs one cell of the matrix: a run, the fault at its moment, the next start, the run continued. Cleans up after itself. */
export async function runCell(
  fault: Fault,
  phase: Phase,
  engine: FaultEngine,
  datasets: string,
): Promise<CellResult> {
  const effect = fault.effect(phase);
  const basics = {
    fault: fault.name,
    phase,
    date: new Date().toISOString(),
    engine: `Docker Engine ${engine.version}`,
  };
  const nothing = { outcome: null, codes: [], trials: null, seconds: null };
  if (typeof effect !== 'string') return { ...basics, ...nothing, status: 'none', remarks: [effect.none] };

  const home = await mkdtemp(join(tmpdir(), 'whalemark-fault-'));
  const dataDir = join(home, 'data');
  await mkdir(dataDir);
  if (fault.smallHome === true) await run('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', dataDir]);
  const isEarly = phase === 'create' || phase === 'init' || phase === 'load';
  const place = { dataDir, datasets: isEarly ? join(home, 'datasets') : datasets };
  const others = await bystander(engine);
  const problems: string[] = [];
  try {
    const faultFile = join(home, 'fault');
    await writeFile(faultFile, '');
    await mkdir(join(dataDir, 'runs'));
    const preset = join(home, 'preset.yaml');
    await writeFile(preset, presetOf(fault, phase, engine.serverImage));

    const story = await runWithFault(fault, phase, engine, { ...place, faultFile, preset });
    problems.push(...story.problems);
    const { runId } = story;
    if (runId === undefined) {
      return { ...basics, ...nothing, status: 'failed', remarks: problems };
    }
    // The next start, which finds what the run could not remove, and shows what was measured.
    for (const command of [['clean'], ['history', '--json']]) {
      const next = await whalemark(engine, command, { ...place, deadlineMs: COMMAND_DEADLINE_MS }).ended;
      if (next.exitCode !== 0)
        problems.push(`whalemark ${command.join(' ')} ended with ${next.exitCode}: ${next.stderr}`);
      if (command[0] === 'history' && !next.stdout.includes(runId))
        problems.push('the run is not shown in the history');
    }
    problems.push(...(await leftOnEngine(engine, dataDir, runId)));
    problems.push(...(await others.differences()));
    const after = await outcomeOf(dataDir, runId);
    problems.push(...checkAfterFault(effect, story, after));
    const continued = await continueRun(engine, place, runId, story.measured);
    problems.push(...continued.problems);
    problems.push(...(await leftOnEngine(engine, dataDir, runId)));
    problems.push(...(await others.differences()));
    return {
      ...basics,
      status: problems.length === 0 ? 'passed' : 'failed',
      outcome: after?.outcome ?? null,
      codes: [...new Set([...(after?.codes ?? []), ...codesIn(story.stderr)])],
      trials: { kept: after?.measured.size ?? 0, after: continued.measured, planned: after?.planned ?? 0 },
      seconds: story.seconds,
      remarks: problems,
    };
  } finally {
    if (isEarly) {
      await whalemark(engine, ['clean', '--datasets'], { ...place, deadlineMs: COMMAND_DEADLINE_MS }).ended;
    }
    await others.remove();
    if (fault.smallHome === true) await run('umount', [dataDir]);
    await rm(home, { recursive: true, force: true });
  }
}

/** What happened until the struck program had ended. */
export interface Story {
  runId: string | undefined;
  events: RunEvent[];
  /** Totals of the trials that had been measured when the fault struck. */
  measured: Map<string, unknown>;
  exitCode: number | null;
  stderr: string;
  /** From the fault to the end of the program. */
  seconds: number | null;
  problems: string[];
}

async function runWithFault(
  fault: Fault,
  phase: Phase,
  engine: FaultEngine,
  { preset, faultFile, ...place }: { dataDir: string; datasets: string; faultFile: string; preset: string },
): Promise<Story> {
  const { child, ended } = whalemark(engine, ['run', preset, '--json'], {
    ...place,
    ...(fault.preload === true ? { faultFile } : {}),
    deadlineMs: RUN_DEADLINE_MS,
  });
  const over = new AbortController();
  const events: RunEvent[] = [];
  const measured = new Map<string, unknown>();
  const mends: (() => Promise<unknown>)[] = [];
  const problems: string[] = [];
  let [runId, lastTrialId]: (string | undefined)[] = [];
  let struckAt: number | undefined;
  let striking = Promise.resolve();
  const onEvent = (event: RunEvent, id: string): void => {
    runId = id;
    events.push(event);
    if (event.type === 'run-started') lastTrialId = lastTrialOf(event.plan.rounds);
    if (event.type === 'trial-finished' && struckAt === undefined) measured.set(event.trialId, event.totals);
    if (struckAt !== undefined) return;
    if (!isMoment(event, { phase, scenarioId: fault.scenario, lastTrialId: () => lastTrialId })) return;
    struckAt = performance.now();
    const scene: Scene = {
      ...{ engine, phase, runId: id, child, dataDir: place.dataDir, faultFile, signal: over.signal },
      later: (mend) => mends.push(mend),
    };
    striking = fault.strike(scene).catch((error: unknown) => {
      problems.push(
        `the fault could not be inflicted: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  };
  const following = followJournal(place.dataDir, onEvent, over.signal);
  const end = await ended;
  const seconds = struckAt === undefined ? null : (performance.now() - struckAt) / 1000;
  over.abort();
  await following;
  await striking;
  for (const mend of mends) await mend();
  if (struckAt === undefined) problems.push(`its moment never came: ${end.stderr.slice(-1500)}`);
  if (end.hung)
    problems.push(`it did not end within ${RUN_DEADLINE_MS / 1000} s: ${end.stderr.slice(-1500)}`);
  return {
    runId: runId ?? (await onlyRun(place.dataDir)),
    events,
    measured,
    exitCode: end.exitCode,
    stderr: end.stderr,
    seconds: seconds === null ? null : Math.round(seconds * 10) / 10,
    problems,
  };
}

/** What the terminal was told, which a result that could not be saved does not hold. */
function codesIn(stderr: string): string[] {
  return [...stderr.matchAll(/\[([A-Z]+(?:_[A-Z]+)*)\]$/gm)].flatMap(([, code]) => code ?? []);
}

function lastTrialOf(rounds: readonly (readonly string[])[]): string | undefined {
  const last = rounds.at(-1)?.at(-1);
  return last === undefined ? undefined : `r${rounds.length}.${last}`;
}

async function onlyRun(dataDir: string): Promise<string | undefined> {
  return (await readdir(join(dataDir, 'runs'))).at(0);
}

/** For a look at what a run has written. */
export function journalOf(dataDir: string, runId: string): Promise<string> {
  return readFile(join(dataDir, 'runs', runId, 'journal.ndjson'), 'utf8');
}
