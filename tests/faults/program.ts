import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import type { FaultEngine } from './engine.ts';

/** How a command of the terminal twin ended. */
export interface Ended {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** It did not end by itself within its time and was killed. */
  hung: boolean;
}

/** A running command of the terminal twin. */
export interface Program {
  child: ChildProcess;
  ended: Promise<Ended>;
}

/** Starts the built terminal twin against an engine, with a data folder of its own. */
export function whalemark(
  engine: FaultEngine,
  args: string[],
  {
    dataDir,
    datasets,
    faultFile,
    deadlineMs,
  }: { dataDir: string; datasets: string; faultFile?: string; deadlineMs: number },
): Program {
  const cli = resolve('out/cli/whalemark.cjs');
  const preload = faultFile === undefined ? [] : ['--import', resolve('tests/faults/preload.mjs')];
  const [command = '', ...rest] = [...engine.enter, process.execPath, ...preload, cli, ...args];
  const child = spawn(command, rest, {
    env: {
      ...process.env,
      ...engine.env,
      WHALEMARK_HOME: dataDir,
      WHALEMARK_DATASETS: datasets,
      ...(faultFile === undefined ? {} : { WHALEMARK_FAULT_FILE: faultFile }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr, hung] = ['', '', false];
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  const deadline = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, deadlineMs);
  const ended = new Promise<Ended>((done) => {
    child.on('close', (exitCode, signal) => {
      clearTimeout(deadline);
      done({ exitCode, signal, stdout, stderr, hung });
    });
  });
  return { child, ended };
}
