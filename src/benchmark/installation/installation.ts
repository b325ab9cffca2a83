import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Settings } from '../../shared/model/settings.ts';
import { licenseSchema, type License } from '../../shared/contract/requests/app.ts';

export const installationPathsSchema = z.object({
  dataDir: z.string(),
  /** Null: datasets are not kept. */
  datasetDir: z.string().nullable(),
  assetsDir: z.string(),
  presetsDir: z.string(),
  clientFile: z.string(),
  appVersion: z.string(),
});
export type InstallationPaths = z.infer<typeof installationPathsSchema>;

export interface Installation extends Omit<InstallationPaths, 'assetsDir' | 'presetsDir'> {
  clientImageFiles: Record<string, string>;
}

export function withSettings<P extends InstallationPaths>(
  paths: P,
  { keepDatasets }: Pick<Settings, 'keepDatasets'>,
): P {
  return keepDatasets ? paths : { ...paths, datasetDir: null };
}

export async function loadInstallation(paths: InstallationPaths): Promise<Installation> {
  const { assetsDir, dataDir, datasetDir, appVersion, clientFile } = paths;
  const Dockerfile = await readFile(join(assetsDir, 'client-image', 'Dockerfile'), 'utf8');
  return { dataDir, datasetDir, appVersion, clientFile, clientImageFiles: { Dockerfile } };
}

/** Output of scripts/build/licenses.mjs. */
export async function readLicenses(assetsDir: string): Promise<License[]> {
  const text = await readFile(join(assetsDir, 'licenses.json'), 'utf8');
  return z.array(licenseSchema).parse(JSON.parse(text));
}
