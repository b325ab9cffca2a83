import { resolve } from 'node:path';
import { msg } from '../../shared/message.ts';
import type { Setup } from '../../shared/model/setup.ts';
import { readApart } from '../reading/reader.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { filesOfFolder, readComposeFiles, setupRefused, withOverride } from './compose-files.ts';
import { findSetups, setupOfContainer } from './container-setups.ts';
import { foundAt } from './found-file.ts';
import { onEngine } from './on-engine.ts';

interface SetupRequest {
  /** Path of a Compose file or its folder, or name or ID of a container if there is no such file. */
  target: string;
  /** More Compose files, which override the target. */
  files?: readonly string[];
  profiles?: readonly string[];
  /** In place of this process's. */
  environment?: Readonly<Record<string, string | undefined>>;
  runtime?: ContainerRuntime | undefined;
}

/** Rejects with SETUP_REFUSED: one line of evidence for each problem, `FILE:LINE: reason`. */
export async function openSetup({
  target,
  files = [],
  profiles = [],
  environment = process.env,
  runtime,
}: SetupRequest): Promise<Setup> {
  const question = { target, files, profiles, environment };
  const setup = await readApart('compose', composeHere, question, (reason) => setupRefused(target, [reason]));
  if (setup === null) {
    const ofContainer = runtime === undefined ? undefined : await setupOfContainer(runtime, target);
    if (ofContainer !== undefined) return ofContainer;
    throw setupRefused(target, [msg('compose.target.none', { name: target })]);
  }
  if (runtime === undefined) return setup;
  // The files say enough without an engine that fails.
  return onEngine(setup, await findSetups(runtime).catch(() => []), runtime.passport);
}

/** Null: there is no such file. */
export async function composeHere({
  target,
  files,
  profiles,
  environment,
}: Required<Pick<SetupRequest, 'target' | 'files' | 'profiles' | 'environment'>>): Promise<Setup | null> {
  const path = resolve(target);
  const found = await foundAt(path);
  if (found.kind === 'unread' && found.isMissing) return null;
  if (found.kind === 'unread') {
    throw setupRefused(target, [msg('compose.target.noFile', { name: target, reason: found.reason })]);
  }
  const main =
    found.kind === 'folder' ? await filesOfFolder(path, environment) : await mainFiles(path, files);
  if (main.length === 0) throw setupRefused(target, [msg('compose.target.noCompose', { name: target })]);
  const all = [...main, ...files.map((file) => resolve(file))];
  const folder = found.kind === 'folder' ? { folder: path } : {};
  return readComposeFiles(all, { profiles, environment, name: target, ...folder });
}

/** Given several files, Compose reads no override by itself. */
async function mainFiles(path: string, more: readonly string[]): Promise<string[]> {
  return more.length === 0 ? withOverride(path) : [path];
}
