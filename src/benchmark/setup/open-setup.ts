import { resolve } from 'node:path';
import { msg } from '../../shared/message.ts';
import type { Setup } from '../../shared/model/setup.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { filesOfFolder, readComposeFiles, setupRefused, withOverride } from './compose-files.ts';
import { findSetups, setupOfContainer } from './container-setups.ts';
import { foundAt } from './found-file.ts';
import { onEngine } from './on-engine.ts';

export interface SetupRequest {
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
  const path = resolve(target);
  const found = await foundAt(path);
  if (found.kind === 'unread' && found.isMissing) {
    const setup = runtime === undefined ? undefined : await setupOfContainer(runtime, target);
    if (setup !== undefined) return setup;
    throw setupRefused(target, [msg('compose.target.none', { name: target })]);
  }
  if (found.kind === 'unread') {
    throw setupRefused(target, [msg('compose.target.noFile', { name: target, reason: found.reason })]);
  }
  const main =
    found.kind === 'folder' ? await filesOfFolder(path, environment) : await mainFiles(path, files);
  if (main.length === 0) throw setupRefused(target, [msg('compose.target.noCompose', { name: target })]);
  const all = [...main, ...files.map((file) => resolve(file))];
  const folder = found.kind === 'folder' ? { folder: path } : {};
  const setup = await readComposeFiles(all, { profiles, environment, name: target, ...folder });
  if (runtime === undefined) return setup;
  // The files say enough without an engine that fails.
  return onEngine(setup, await findSetups(runtime).catch(() => []), runtime.passport);
}

/** Given several files, Compose reads no override by itself. */
async function mainFiles(path: string, more: readonly string[]): Promise<string[]> {
  return more.length === 0 ? withOverride(path) : [path];
}
