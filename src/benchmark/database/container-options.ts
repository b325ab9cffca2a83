import { posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { msg } from '../../shared/message.ts';
import type { DatabaseService } from '../../shared/model/database.ts';
import { parseConfig } from '../../shared/options/option-file.ts';
import { whyUnmeasured } from '../../shared/options/tuning.ts';
import { OPTION_PLACES } from '../../shared/compose/option-files.ts';
import { isWithin, normalPath } from '../../shared/compose/storage.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import type { ExaminedContainer } from '../runtime/examined-container.ts';
import { placesLeftOut } from './option-files.ts';

const MOST_BYTES = 2 ** 20;

/** Of a container's option files, running or not; what the engine can't give is missing. */
export async function optionsInContainer(
  runtime: ContainerRuntime,
  { Id, Mounts }: ExaminedContainer,
): Promise<Pick<DatabaseService, 'options' | 'warnings'>> {
  const options: string[] = [];
  const warnings: DatabaseService['warnings'] = [];
  for (const place of OPTION_PLACES) {
    const files = await filesAt(runtime, Id, place).catch(() => new Map<string, string>());
    for (const [path, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const file = posix.basename(path);
      const { options: own, leftOut } = parseConfig(text, file, whyUnmeasured);
      options.push(...own);
      // What the image brings is no news to its user.
      const isTheirs = Mounts.some(({ Destination }) => isWithin(path, normalPath(Destination)));
      const list = isTheirs ? placesLeftOut(file, leftOut) : '';
      if (list !== '') warnings.push(msg('yourDatabase.leftOut', { list }));
    }
  }
  return { options, warnings };
}

/** Texts by path, of a file or those right below a folder. Rejects beyond `MOST_BYTES`. */
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
