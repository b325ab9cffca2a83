import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A command of the system answers in milliseconds; one that doesn't is not waited for. */
const COMMAND_MS = 2000;

/** All that the watch may see of this machine, so that a test can be any machine. What can't be read is undefined. */
export interface HostSource {
  platform: NodeJS.Platform;
  /** This process. */
  pid: number;
  read(path: string): string | undefined;
  /** Names in a directory; empty when it can't be read. */
  list(path: string): string[];
  /** Where a symbolic link leads. */
  link(path: string): string | undefined;
  /** What a program prints, started without a shell. */
  run(file: string, args: string[]): Promise<string | undefined>;
}

/** The machine this process runs on. Files are read at once: those of /proc and /sys are made in memory, in microseconds. */
export function ownHost(): HostSource {
  return {
    platform: process.platform,
    pid: process.pid,
    read: (path) => orUndefined(() => readFileSync(path, 'utf8')),
    list: (path) => orUndefined(() => readdirSync(path)) ?? [],
    link: (path) => orUndefined(() => readlinkSync(path)),
    run: (file, args) =>
      new Promise((resolve) => {
        execFile(file, args, { timeout: COMMAND_MS, env: childEnv() }, (error, stdout) =>
          resolve(error === null ? stdout : undefined),
        );
      }),
  };
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * The environment of a program that we start: ours, but for what is only our business. A DSN with its password would
 * otherwise be in the environment of every server and of whatever that starts.
 */
export function childEnv(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'WHALEMARK_DSN'));
}
