import { readFileSync, readdirSync } from 'node:fs';
import { arch, cpus, homedir, release, totalmem } from 'node:os';
import { posix, win32 } from 'node:path';
import type { Passport } from '../../../shared/model/passport.ts';
import { isMissing } from '../../errno.ts';
import type { Connection } from '../engine/endpoints.ts';
import { probeEngine, type RawAnswers } from './probe.ts';

export type Platform = Passport['host']['platform'];

/** All that looking for runtimes may see of this machine, so that a test can be any machine. */
export interface Surroundings {
  platform: Platform;
  env: Record<string, string | undefined>;
  homeDirectory: string;
  /** Undefined on Windows. */
  uid: number | undefined;
  host: Passport['host'];
  /** Undefined when there is no such file; throws when there is one that can't be read. */
  readText(path: string): string | undefined;
  /** Names in a directory; empty when there is none. */
  listDirectory(path: string): string[];
  /** Asks an engine who it is. Rejects with Node's own errors (`code` ENOENT, ECONNREFUSED, …). */
  probe(connection: Connection, signal: AbortSignal): Promise<RawAnswers>;
}

/** The machine this process runs on. */
export function thisMachine(): Surroundings {
  const platform = supportedPlatform(process.platform);
  const processors = cpus();
  return {
    platform,
    env: process.env,
    homeDirectory: homedir(),
    uid: process.getuid?.(),
    host: {
      platform,
      release: release(),
      architecture: arch(),
      cpuModel: processors[0]?.model.trim() ?? '',
      cpus: processors.length,
      memoryBytes: totalmem(),
    },
    readText: (path) => {
      try {
        return readFileSync(path, 'utf8');
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    listDirectory: (path) => {
      try {
        return readdirSync(path).sort();
      } catch {
        return [];
      }
    },
    probe: probeEngine,
  };
}

/** Joins path segments the way the platform of `surroundings` does, whatever platform runs this. */
export function joinPath(surroundings: { platform: Platform }, ...segments: string[]): string {
  return surroundings.platform === 'win32' ? win32.join(...segments) : posix.join(...segments);
}

/** An environment variable that is set to something. */
export function variable(surroundings: { env: Surroundings['env'] }, name: string): string | undefined {
  const value = surroundings.env[name];
  return value === '' ? undefined : value;
}

/** The platform that counts: whatever is neither macOS nor Windows is taken for Linux. */
export function supportedPlatform(platform: NodeJS.Platform): Platform {
  return platform === 'darwin' || platform === 'win32' ? platform : 'linux';
}
