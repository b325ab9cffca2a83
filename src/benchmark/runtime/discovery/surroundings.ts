import { readFileSync, readdirSync } from 'node:fs';
import { arch, cpus, homedir, release, totalmem } from 'node:os';
import { posix, win32 } from 'node:path';
import type { Passport } from '../../../shared/model/passport.ts';
import { isMissing } from '../../files/failures.ts';
import type { Connection } from '../engine/endpoints.ts';
import { probeEngine, type RawAnswers } from './probe.ts';

export type Platform = Passport['host']['platform'];

export interface Surroundings {
  platform: Platform;
  env: Record<string, string | undefined>;
  homeDirectory: string;
  uid: number | undefined;
  host: Passport['host'];
  readText(path: string): string | undefined;
  listDirectory(path: string): string[];
  probe(connection: Connection, signal: AbortSignal, onAlive: () => void): Promise<RawAnswers>;
}

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

/** Only the variable shows WSL on the user's own kernel. */
export function isInWsl({ platform, host, env }: Pick<Surroundings, 'platform' | 'host' | 'env'>): boolean {
  return (
    platform === 'linux' &&
    (/microsoft/i.test(host.release) || variable({ env }, 'WSL_DISTRO_NAME') !== undefined)
  );
}

export function windowsHomes(surroundings: Surroundings): string[] {
  if (surroundings.platform === 'win32') return [surroundings.homeDirectory];
  if (!isInWsl(surroundings)) return [];
  return surroundings.listDirectory('/mnt/c/Users').map((name) => `/mnt/c/Users/${name}`);
}

export function joinPath(surroundings: { platform: Platform }, ...segments: string[]): string {
  return surroundings.platform === 'win32' ? win32.join(...segments) : posix.join(...segments);
}

export function variable(surroundings: { env: Surroundings['env'] }, name: string): string | undefined {
  const value = surroundings.env[name];
  return value === '' ? undefined : value;
}

export function supportedPlatform(platform: NodeJS.Platform): Platform {
  return platform === 'darwin' || platform === 'win32' ? platform : 'linux';
}

export function readObject(surroundings: Surroundings, path: string): Record<string, unknown> | undefined {
  try {
    const text = surroundings.readText(path);
    // Programs on Windows write a byte-order mark.
    const json: unknown = text === undefined ? undefined : JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof json === 'object' && json !== null && !Array.isArray(json)
      ? Object.fromEntries(Object.entries(json))
      : undefined;
  } catch {
    return undefined;
  }
}
