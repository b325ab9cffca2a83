import { posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { serverImage } from '../../shared/compose/image.ts';
import { OPTION_PLACES } from '../../shared/compose/option-files.ts';
import { isWithin, normalPath } from '../../shared/compose/storage.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import type { ExaminedContainer } from '../runtime/examined-container.ts';
import type { OptionText } from './option-files.ts';

const MOST_BYTES = 2 ** 20;

/** Mounted option files, and those of an image that starts itself; unreadable ones are missing. */
export async function optionTextsOf(
  runtime: ContainerRuntime,
  { Id, Mounts, Config }: ExaminedContainer,
): Promise<OptionText[]> {
  const isWhole = serverImage(Config.Image)?.startsItself === true;
  const targets = Mounts.map(({ Destination }) => normalPath(Destination));
  const isTheirs = (path: string): boolean => targets.some((target) => isWithin(path, target));
  const files: OptionText[] = [];
  for (const place of OPTION_PLACES) {
    if (!isWhole && !isTheirs(place) && !targets.some((target) => isWithin(target, place))) continue;
    const found = await filesAt(runtime, Id, place).catch(() => new Map<string, string>());
    for (const [path, text] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (isWhole || isTheirs(path)) files.push({ path, text, isNews: isTheirs(path) });
    }
  }
  return files;
}

/** A folder's direct files count; rejects beyond `MOST_BYTES`. */
async function filesAt(runtime: ContainerRuntime, id: string, place: string): Promise<Map<string, string>> {
  const archive = await runtime.containers.getArchive(id, place);
  const found = new Map<string, string>();
  const unpacked = extract();
  let bytes = 0;
  unpacked.on('entry', ({ type, name }, content, next) => {
    const path = posix.join(posix.dirname(place), name);
    const isOption = path === place || (posix.dirname(path) === place && path.endsWith('.cnf'));
    const chunks: Buffer[] = [];
    content.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > MOST_BYTES) archive.destroy(new Error('too much'));
    });
    content.on('end', () => {
      if (type === 'file' && isOption) found.set(path, Buffer.concat(chunks).toString('utf8'));
      next();
    });
  });
  await pipeline(archive, unpacked);
  return found;
}
