import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunEvent } from '../../src/shared/model/events.ts';
import { engineProxy, type EngineProxy } from '../../tests/integration/helpers/engine-proxy.ts';
import { bystander } from './bystander.ts';
import {
  checkAfterFault,
  checkManners,
  codesIn,
  leftForLong,
  leftOnEngine,
  outcomeOf,
  type Story,
} from './checks.ts';
import { continueRun } from './continuing.ts';
import { ownEngine, type FaultEngine } from './engine.ts';
import { HOST, type Effect, type Fault, type Scene } from './fault.ts';
import { followJournal } from '../lib/journal.ts';
import { isMoment, type Moment } from './phases.ts';
import { presetOf } from './preset.ts';
import { whalemark, type Ended, type Place } from './program.ts';
import type { CellResult } from './results.ts';

const run = promisify(execFile);
/** A run of this size takes half a minute; after this it hangs. */
const RUN_DEADLINE_MS = 180_000;
const COMMAND_DEADLINE_MS = 60_000;

const NOTHING = { outcome: null, codes: [], trials: null, seconds: null };

let commit: Promise<string> | undefined;

/** The commit of the sources; `-dirty` where they differ from it. */
async function measuredCommit(): Promise<string> {
  const { stdout } = await run('git', ['rev-parse', '--short=8', 'HEAD']);
  const changed = await run('git', ['status', '--porcelain', '--', 'src', 'assets', 'presets']);
  return `${stdout.trim()}${changed.stdout === '' ? '' : '-dirty'}`;
}

/**
 * Runs one cell of the matrix: a run, the fault at its moment, the next start, the run continued. Cleans up after
 * itself.
 */
export async function runCell(
  fault: Fault,
  phase: Moment,
  shared: FaultEngine,
  sharedDatasets: string,
): Promise<CellResult> {
  const effect = fault.effect(phase);
  commit ??= measuredCommit();
  const basics = {
    fault: fault.name,
    phase,
    date: new Date().toISOString(),
    commit: await commit,
  };
  if (typeof effect !== 'string') {
    const engine = `Docker Engine ${shared.version}`;
    return { ...basics, engine, ...NOTHING, status: 'none', remarks: [effect.none] };
  }
  let engine = shared;
  try {
    if (fault.daemon !== undefined) engine = await ownEngine(fault.daemon);
  } catch (error) {
    return { ...basics, engine: '', ...NOTHING, status: 'impossible', remarks: [String(error)] };
  }
  const home = await mkdtemp(join(tmpdir(), fault.homeName ?? 'whalemark-fault-'));
  const dataDir = join(home, 'data');
  // Others than root reach it, too.
  await run('chmod', ['755', home]);
  await mkdir(dataDir);
  if (fault.smallHome === true) await run('mount', ['-t', 'tmpfs', '-o', 'size=640m', 'tmpfs', dataDir]);
  const isEarly = engine !== shared || ['start', 'create', 'init', 'load'].includes(phase);
  const proxy = fault.proxy === undefined ? undefined : await proxyOf(fault, engine, home);
  const datasets = isEarly ? join(home, 'datasets') : sharedDatasets;
  const place: Place = { home, dataDir, datasets, endpoint: proxy?.endpoint };
  const others = await bystander(engine);
  try {
    const outcome = await playCell(fault, { phase, effect, engine, place, proxy });
    const rest = [...(await others.differences()), ...outcome.remarks];
    const status = rest.length > 0 ? 'failed' : effect === 'no effect' ? 'no effect' : 'passed';
    return { ...basics, engine: `Docker Engine ${engine.version}`, ...outcome, status, remarks: rest };
  } finally {
    if (isEarly) {
      await whalemark(engine, ['clean', '--datasets'], { ...place, deadlineMs: COMMAND_DEADLINE_MS }).ended;
    }
    await others.remove();
    await proxy?.cut();
    if (fault.smallHome === true) await run('umount', [dataDir]);
    await rm(home, { recursive: true, force: true });
    if (engine !== shared) await engine.remove();
  }
}

function proxyOf({ proxy }: Fault, { socket }: FaultEngine, home: string): Promise<EngineProxy> {
  return engineProxy(home, { upstream: socket, ...(typeof proxy === 'object' ? proxy : {}) });
}

interface Stage {
  phase: Moment;
  effect: Effect;
  engine: FaultEngine;
  place: Place;
  proxy: EngineProxy | undefined;
}

/** The outcome of a cell; its remarks name broken promises. */
type Outcome = Pick<CellResult, 'outcome' | 'codes' | 'trials' | 'seconds' | 'remarks'>;

async function playCell(fault: Fault, stage: Stage): Promise<Outcome> {
  const { phase, effect, engine, place } = stage;
  const { home, dataDir } = place;
  const problems: string[] = [];
  const faultFile = join(home, 'fault');
  await writeFile(faultFile, '');
  await mkdir(join(dataDir, 'runs'));
  const preset = join(home, 'preset.yaml');
  await writeFile(preset, presetOf(fault, phase, engine.serverImage));

  await fault.prepare?.(home);
  const story = await runWithFault(fault, stage, { faultFile, preset });
  problems.push(...story.problems);
  const { runId, seconds } = story;
  const command = (args: string[], deadlineMs = COMMAND_DEADLINE_MS): Promise<Ended> =>
    whalemark(engine, args, { ...place, deadlineMs, launch: fault.launchNext }).ended;
  if (runId === undefined) {
    // A run that never began has to say why, and to begin once that is fixed.
    const codes = codesIn(story.stderr);
    if (effect !== 'error' && !codes.includes(effect))
      problems.push(`it should have led to ${effect}: ${story.stderr}`);
    const second = await command(['run', preset, '--json'], RUN_DEADLINE_MS);
    problems.push(...checkManners(second));
    if (second.exitCode !== 0) problems.push(`mended, it ended with ${second.exitCode}: ${second.stderr}`);
    return { ...NOTHING, codes, seconds, remarks: problems };
  }
  if (fault.cleans === true) problems.push(...(await leftOnEngine(engine, dataDir, runId)));
  if (fault.isSwept === true) problems.push(...(await leftForLong(engine, dataDir, runId)));
  // The next start, which finds what the run could not remove, and shows what was measured.
  const start = async (...args: string[]): Promise<Ended> => {
    const end = await command(args);
    problems.push(...checkManners(end));
    if (end.exitCode !== 0)
      problems.push(`whalemark ${args.join(' ')} ended with ${end.exitCode}: ${end.stderr}`);
    return end;
  };
  if (fault.next === undefined) await start('clean');
  else problems.push(...(await fault.next(start, home)));
  const history = await start('history', '--json');
  if (!history.stdout.includes(runId)) problems.push('the run is not shown in the history');
  problems.push(...(await leftOnEngine(engine, dataDir, runId)));
  const told = await outcomeOf(dataDir, runId);
  if (told === undefined)
    return {
      ...NOTHING,
      seconds,
      remarks: [...problems, `there is no result of the run: ${story.stderr.slice(-1000)}`],
    };
  problems.push(...checkAfterFault(effect, story, told));
  if (told.measured.size < (fault.measures ?? 0))
    problems.push(`only ${told.measured.size} trials are measured`);
  const { launchNext: launch } = fault;
  const continued =
    told.kept === undefined
      ? { measured: told.measured.size, problems: [] }
      : await continueRun(engine, { ...place, launch }, runId, told.kept, fault.isRefused);
  problems.push(...continued.problems);
  problems.push(...(await leftOnEngine(engine, dataDir, runId)));
  return {
    outcome: told.outcome,
    codes: [...new Set([...told.codes, ...codesIn(story.stderr)])],
    trials: { kept: told.measured.size, after: continued.measured, planned: told.planned },
    seconds,
    remarks: problems,
  };
}

async function runWithFault(
  fault: Fault,
  { phase, engine, place, proxy }: Stage,
  { preset, faultFile }: { faultFile: string; preset: string },
): Promise<Story> {
  const over = new AbortController();
  const measured = new Map<string, unknown>();
  const mends: (() => Promise<unknown>)[] = [];
  const problems: string[] = [];
  const { home, dataDir } = place;
  let [runId, lastTrialId]: (string | undefined)[] = [];
  let struckAt: number | undefined;
  let striking = Promise.resolve();
  const strike = (child: Scene['child'], id: string): void => {
    struckAt = performance.now();
    const scene: Scene = {
      ...{ engine, phase, runId: id, child, dataDir, home, proxy, faultFile, signal: over.signal },
      later: (mend) => mends.push(mend),
    };
    striking = fault.strike(scene).catch((error: unknown) => {
      problems.push(
        `the fault could not be inflicted: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  };
  if (phase === 'start') strike(undefined, '');
  await striking;
  const { child, ended } = whalemark(engine, ['run', preset, '--json'], {
    ...place,
    ...(fault.preload === true ? { faultFile } : {}),
    deadlineMs: RUN_DEADLINE_MS,
    launch: fault.launch,
  });
  const onEvent = (event: RunEvent, id: string): void => {
    runId = id;
    if (event.type === 'run-started') lastTrialId = lastTrialOf(event.plan.rounds);
    if (event.type === 'trial-finished' && struckAt === undefined) measured.set(event.trialId, event.totals);
    if (struckAt !== undefined) return;
    const scenarioId = fault.scenario ?? HOST;
    if (isMoment(event, { phase, scenarioId, lastTrialId: () => lastTrialId })) strike(child, id);
  };
  const following = phase === 'start' ? Promise.resolve() : followJournal(dataDir, onEvent, over.signal);
  const end = await ended;
  const seconds = struckAt === undefined ? null : (performance.now() - struckAt) / 1000;
  over.abort();
  await following;
  await striking;
  for (const mend of mends) await mend();
  if (struckAt === undefined) problems.push(`its moment never came: ${end.stderr.slice(-1500)}`);
  problems.push(...checkManners(end));
  if (fault.exitCode !== undefined && end.exitCode !== fault.exitCode)
    problems.push(`its exit code is ${String(end.exitCode)}, not ${fault.exitCode}`);
  return {
    ...end,
    runId: runId ?? (await onlyRun(dataDir)),
    measured,
    seconds: seconds === null ? null : Math.round(seconds * 10) / 10,
    problems,
  };
}

function lastTrialOf(rounds: readonly (readonly string[])[]): string | undefined {
  const last = rounds.at(-1)?.at(-1);
  return last === undefined ? undefined : `r${rounds.length}.${last}`;
}

async function onlyRun(dataDir: string): Promise<string | undefined> {
  return (await readdir(join(dataDir, 'runs')).catch(() => [])).at(0);
}
