import { constants } from 'node:fs';
import { access, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg } from '../../shared/message.ts';
import type { DatabaseOverride, DatabaseSource } from '../../shared/model/database.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { overrideLines } from '../../shared/words/override-wording.ts';
import { ifThere, writingAt } from '../files/failures.ts';
import { OVERRIDE_FILE } from './checked-override.ts';

const OURS = '# Written by Whalemark.';

/** Rejects with OVERRIDE_NOT_WRITTEN before anything is measured. */
export async function requireWritable({ files: [first] }: DatabaseSource): Promise<void> {
  if (first !== undefined) await requireOurs(join(dirname(first), OVERRIDE_FILE));
}

/** Only Whalemark's own files are replaced; rejects with OVERRIDE_NOT_WRITTEN. */
export async function writeOverride(override: DatabaseOverride): Promise<void> {
  const { file, text } = override;
  await requireOurs(file);
  const lines = overrideLines(override, ENGLISH).map((line) => `# ${line}`.trimEnd());
  await writingAt(file, 'OVERRIDE_NOT_WRITTEN', () => writeFile(file, [OURS, ...lines, text].join('\n')));
}

async function requireOurs(file: string): Promise<void> {
  const there = await ifThere(file, (path) => readFile(path, 'utf8'));
  if (there !== undefined && !there.startsWith(OURS)) {
    throw new BenchmarkError('OVERRIDE_NOT_WRITTEN', { reason: msg('override.notOurs', { path: file }) });
  }
  await writingAt(file, 'OVERRIDE_NOT_WRITTEN', () => access(dirname(file), constants.W_OK));
}
