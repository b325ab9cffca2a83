import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { BenchmarkError, messageOf } from '../../shared/errors.ts';
import {
  DEFAULT_SETTINGS,
  settingsSchema,
  type Settings,
  type SettingsProblem,
} from '../../shared/model/settings.ts';
import { errnoOf } from '../files/failures.ts';
import { PRIVATE_FOLDER } from '../files/data-dir.ts';
import { replaceFileNow } from '../files/replace-file.ts';
import { jsonOf } from '../files/json.ts';

const FILE = 'settings.json';
const BROKEN = `${FILE}.broken`;

export class SettingsStore {
  #settings: Settings;
  readonly problems: readonly SettingsProblem[];

  constructor(private readonly dataDir: string) {
    const { settings, problems } = readSettings(dataDir);
    this.#settings = settings;
    this.problems = problems;
  }

  get current(): Settings {
    return this.#settings;
  }

  change(change: { [K in keyof Settings]?: Settings[K] | undefined }): Settings {
    const changed = settingsSchema.parse({ ...this.#settings, ...change });
    const path = join(this.dataDir, FILE);
    try {
      mkdirSync(this.dataDir, PRIVATE_FOLDER);
      replaceFileNow(path, `${JSON.stringify(changed, null, 2)}\n`);
    } catch (error) {
      const reason = messageOf(error);
      throw new BenchmarkError('SETTINGS_UNWRITABLE', { path, reason }, { cause: error });
    }
    this.#settings = changed;
    return changed;
  }
}

interface Read {
  settings: Settings;
  problems: SettingsProblem[];
}

function readSettings(dataDir: string): Read {
  const path = join(dataDir, FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return { settings: DEFAULT_SETTINGS, problems: [] };
  }
  const file = z.record(z.string(), z.unknown()).safeParse(jsonOf(text)).data;
  if (file === undefined) return { settings: DEFAULT_SETTINGS, problems: keptAside(path, dataDir) };
  const settings = settingsSchema.parse(file);
  return { settings, problems: fieldProblems(file, settings) };
}

function keptAside(path: string, dataDir: string): SettingsProblem[] {
  try {
    renameSync(path, join(dataDir, BROKEN));
    return [{ kind: 'file', keptAs: BROKEN }];
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    return [{ kind: 'file', keptAs: FILE }];
  }
}

function asText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '…';
  }
}

function fieldProblems(file: Record<string, unknown>, settings: Settings): SettingsProblem[] {
  return Object.entries(settings).flatMap(([field, value]) => {
    const written = asText(file[field]);
    if (file[field] === undefined || written === JSON.stringify(value)) return [];
    return [{ kind: 'field', field, value: written.slice(0, 80) }];
  });
}
