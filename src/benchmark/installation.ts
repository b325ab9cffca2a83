import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { dataDir } from './data-dir.ts';

/** Where an installed program keeps its parts, and which program it is. */
export const installationPathsSchema = z.object({
  dataDir: z.string(),
  /** Holds `client-image/`, fonts and the like. */
  assetsDir: z.string(),
  presetsDir: z.string(),
  /** The bundled load client. */
  clientFile: z.string(),
  appVersion: z.string(),
});
export type InstallationPaths = z.infer<typeof installationPathsSchema>;

/** What the installed program brings to every run. */
export interface Installation extends Omit<InstallationPaths, 'assetsDir' | 'presetsDir'> {
  clientImageFiles: Record<string, string>;
}

/** The parts as the build puts them below `out`; the data folder is this user's. */
export function installationPaths(out: string, appVersion: string): InstallationPaths {
  return {
    dataDir: dataDir(process.env, process.platform, homedir()),
    assetsDir: join(out, 'assets'),
    presetsDir: join(out, 'presets'),
    clientFile: join(out, 'main', 'client.cjs'),
    appVersion,
  };
}

/** Reads what the installed program brings to every run. */
export async function loadInstallation(paths: InstallationPaths): Promise<Installation> {
  const { assetsDir, dataDir, appVersion, clientFile } = paths;
  const Dockerfile = await readFile(join(assetsDir, 'client-image', 'Dockerfile'), 'utf8');
  return { dataDir, appVersion, clientFile, clientImageFiles: { Dockerfile } };
}
