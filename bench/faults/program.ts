import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { FaultEngine } from './engine.ts';

/** A command line of the terminal twin, with what is added to its environment. */
interface CommandLine {
  command: string[];
  env?: Record<string, string | undefined>;
}

/** How a program is started in a cell: `home` is the cell's own folder. */
export type Launch = (command: string[], home: string) => CommandLine;

/** How a command of the terminal twin ended. */
export interface Ended {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** True if the program didn't end in time and was killed. */
  hung: boolean;
}

/** A running command of the terminal twin. */
export interface Program {
  child: ChildProcess;
  ended: Promise<Ended>;
}

/** Settings that the commands of a cell share. */
export interface Place {
  /** The cell's own folder. */
  home: string;
  dataDir: string;
  datasets: string;
  /** The engine's address; absent: its real one. */
  endpoint?: string | undefined;
}

/** In a cell's folder: where a launcher that ends before the program leaves the program's exit code, and its output. */
export const EXIT_CODE_FILE = 'exit-code';
export const OUTPUT_FILE = 'output';

/** A virtual machine without KVM takes a multiple of the time. */
const VM_PATIENCE = 5;

/** Starts the built terminal twin against an engine, in a separate process group. */
export function whalemark(
  engine: FaultEngine,
  args: string[],
  {
    home,
    dataDir,
    datasets,
    endpoint,
    faultFile,
    deadlineMs,
    launch = (command) => ({ command }),
  }: Place & { faultFile?: string; deadlineMs: number; launch?: Launch | undefined },
): Program {
  const cli = resolve('out/cli/whalemark.cjs');
  const preload = faultFile === undefined ? [] : ['--import', resolve('bench/faults/preload.mjs')];
  for (const file of [EXIT_CODE_FILE, OUTPUT_FILE]) rmSync(join(home, file), { force: true });
  const launched = launch([process.execPath, ...preload, cli, ...args], home);
  const [command = '', ...rest] = [...engine.enter, ...launched.command];
  const child = spawn(command, rest, {
    env: {
      ...process.env,
      ...engine.env,
      ...(endpoint === undefined ? {} : { DOCKER_HOST: endpoint }),
      WHALEMARK_HOME: dataDir,
      WHALEMARK_DATASETS: datasets,
      ...(faultFile === undefined ? {} : { WHALEMARK_FAULT_FILE: faultFile }),
      ...launched.env,
    },
    detached: true,
    // Nothing is written to the last pipe: it ends with the last process that has it, whatever became of the others.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let [stdout, stderr, hung] = ['', '', false];
  child.stdout?.on('data', (part: Buffer) => (stdout += part.toString()));
  child.stderr?.on('data', (part: Buffer) => (stderr += part.toString()));
  child.stdio[3]?.on('error', () => undefined);
  (child.stdio[3] as NodeJS.ReadableStream | null)?.resume();
  const deadline = setTimeout(
    () => {
      hung = true;
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    },
    deadlineMs * (engine.vm === undefined ? 1 : VM_PATIENCE),
  );
  const ended = new Promise<Ended>((done) => {
    child.on('close', (exitCode, signal) => {
      clearTimeout(deadline);
      const written = textIn(home, EXIT_CODE_FILE);
      done({
        exitCode: written === '' ? exitCode : Number(written),
        signal,
        stdout,
        stderr: stderr + textIn(home, OUTPUT_FILE),
        hung,
      });
    });
  });
  return { child, ended };
}

function textIn(home: string, file: string): string {
  try {
    return readFileSync(join(home, file), 'utf8').trim();
  } catch {
    return '';
  }
}
