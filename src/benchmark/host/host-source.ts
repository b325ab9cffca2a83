import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const COMMAND_MS = 2000;

export interface HostSource {
  platform: NodeJS.Platform;
  pid: number;
  read(path: string): string | undefined;
  list(path: string): string[];
  link(path: string): string | undefined;
  run(file: string, args: string[]): Promise<string | undefined>;
}

/** Synchronous: files in /proc and /sys take microseconds. */
export function ownHost(): HostSource {
  return {
    platform: process.platform,
    pid: process.pid,
    read: (path) => orUndefined(() => readFileSync(path, 'utf8')),
    list: (path) => orUndefined(() => readdirSync(path)) ?? [],
    link: (path) => orUndefined(() => readlinkSync(path)),
    run: (file, args) =>
      new Promise((resolve) => {
        execFile(file, args, { timeout: COMMAND_MS }, (error, stdout) =>
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
