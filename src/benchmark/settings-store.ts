import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsSchema, type Settings } from '../shared/model/settings.ts';

/**
 * `settings.json` of the data folder. Read and written at once, without waiting: theme and language must be known before
 * the window opens, and the file is a few lines.
 */
export class SettingsStore {
  readonly #dataDir: string;
  #settings: Settings;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
    this.#settings = readSettings(this.#path);
  }

  get #path(): string {
    return join(this.#dataDir, 'settings.json');
  }

  get current(): Settings {
    return this.#settings;
  }

  /** Keeps a change; where it can't be written it holds for this session. */
  change(change: { [K in keyof Settings]?: Settings[K] | undefined }): Settings {
    this.#settings = settingsSchema.parse({ ...this.#settings, ...change });
    const unfinished = `${this.#path}.tmp`;
    mkdirSync(this.#dataDir, { recursive: true });
    writeFileSync(unfinished, `${JSON.stringify(this.#settings, null, 2)}\n`);
    renameSync(unfinished, this.#path);
    return this.#settings;
  }
}

/** What cannot be read is as if it had never been chosen. */
function readSettings(path: string): Settings {
  try {
    return settingsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return settingsSchema.parse({});
  }
}
