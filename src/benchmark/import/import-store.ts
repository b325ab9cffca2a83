import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstProblem } from '../../shared/field-problems.ts';
import { msg, type Said } from '../../shared/message.ts';
import { namesIn, writingAt } from '../files/failures.ts';
import { PRIVATE_FOLDER } from '../files/data-dir.ts';
import { BenchmarkError, messageOf } from '../../shared/errors.ts';
import {
  IMPORT_FORMAT,
  IMPORT_VERSION,
  importedFileSchema,
  type ImportedFile,
  type ImportedRun,
} from '../../shared/model/imported.ts';
import { replaceFile } from '../files/replace-file.ts';

interface RecentImport {
  id: string;
  name: string;
  importedAt: number;
  runs: number;
}

const ID = /^import-\d{8}-\d{6}-[0-9a-f]{8}$/;
const ENDING = '.json';

export class ImportStore {
  readonly #root: string;

  constructor(dataDir: string) {
    this.#root = join(dataDir, 'runs');
  }

  path(id: string): string {
    return join(this.#root, `${id}${ENDING}`);
  }

  async save(name: string, runs: ImportedRun[], now: Date): Promise<{ file: ImportedFile; path: string }> {
    const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
    const file: ImportedFile = {
      format: IMPORT_FORMAT,
      version: IMPORT_VERSION,
      id: `import-${stamp}-${randomBytes(4).toString('hex')}`,
      name,
      importedAt: now.getTime(),
      runs,
    };
    const path = this.path(file.id);
    await writingAt(this.#root, 'DATA_FOLDER_UNWRITABLE', async () => {
      await mkdir(this.#root, PRIVATE_FOLDER);
      await replaceFile(path, (draft) => writeFile(draft, `${JSON.stringify(file)}\n`));
    });
    return { file, path };
  }

  async load(id: string): Promise<ImportedFile> {
    const unreadable = (reason: Said, cause?: unknown): BenchmarkError =>
      new BenchmarkError('RESULT_UNREADABLE', { name: id, reason }, { cause });
    // Ids come from outside and must not leave the folder.
    if (!ID.test(id)) throw unreadable(msg('import.unknownId'));
    let value: unknown;
    try {
      value = JSON.parse(await readFile(this.path(id), 'utf8'));
    } catch (cause) {
      throw unreadable(messageOf(cause), cause);
    }
    const version =
      typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined;
    if (typeof version === 'number' && version > IMPORT_VERSION) {
      const params = { name: id, found: String(version), known: String(IMPORT_VERSION) };
      throw new BenchmarkError('RESULT_TOO_NEW', params);
    }
    const parsed = importedFileSchema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw unreadable(firstProblem(parsed.error, value));
  }

  async recent(limit: number): Promise<RecentImport[]> {
    const names = await namesIn(this.#root);
    const ids = names.filter((name) => name.endsWith(ENDING)).map((name) => name.slice(0, -ENDING.length));
    const recent: RecentImport[] = [];
    for (const id of ids
      .filter((one) => ID.test(one))
      .sort()
      .reverse()) {
      if (recent.length >= limit) break;
      const file = await this.load(id).catch(() => undefined);
      if (file === undefined) continue;
      recent.push({ id, name: file.name, importedAt: file.importedAt, runs: file.runs.length });
    }
    return recent;
  }
}
