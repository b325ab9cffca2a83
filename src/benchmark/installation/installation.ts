import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Settings } from '../../shared/model/settings.ts';
import { dataDir } from '../files/data-dir.ts';

/** Where an installed program keeps its parts, and which program it is. */
export const installationPathsSchema = z.object({
  dataDir: z.string(),
  /** Remembers the datasets that are kept between runs; null: none are. */
  datasetDir: z.string().nullable(),
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

/**
 * The parts as the build puts them below `out`; the data folder is this user's. `WHALEMARK_DATASETS` names another folder
 * for kept datasets, or is `off`.
 */
export function installationPaths(out: string, appVersion: string): InstallationPaths {
  const ownDir = dataDir(process.env, process.platform, homedir());
  const datasets = process.env['WHALEMARK_DATASETS'] ?? '';
  return {
    dataDir: ownDir,
    datasetDir: datasets === 'off' ? null : datasets || join(ownDir, 'datasets'),
    assetsDir: join(out, 'assets'),
    presetsDir: join(out, 'presets'),
    clientFile: join(out, 'main', 'client.cjs'),
    appVersion,
  };
}

/** The parts for the app's own runs: without a place for datasets when the user wants none kept. */
export function withSettings<P extends InstallationPaths>(
  paths: P,
  { keepDatasets }: Pick<Settings, 'keepDatasets'>,
): P {
  return keepDatasets ? paths : { ...paths, datasetDir: null };
}

/** Reads what the installed program brings to every run. */
export async function loadInstallation(paths: InstallationPaths): Promise<Installation> {
  const { assetsDir, dataDir, datasetDir, appVersion, clientFile } = paths;
  const Dockerfile = await readFile(join(assetsDir, 'client-image', 'Dockerfile'), 'utf8');
  return { dataDir, datasetDir, appVersion, clientFile, clientImageFiles: { Dockerfile } };
}
