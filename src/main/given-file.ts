import { resolve } from 'node:path';
import type { App } from 'electron';

/** Earlier versions and the terminal write `.json`. */
const ENDINGS = ['.whalemark', '.json'];

/** Electron adds arguments anywhere, so the last match counts. */
export function resultFileIn(argv: readonly string[], directory: string): string | undefined {
  const file = argv
    .slice(1)
    .filter((one) => !one.startsWith('-') && ENDINGS.some((ending) => one.toLowerCase().endsWith(ending)))
    .at(-1);
  return file === undefined ? undefined : resolve(directory, file);
}

export class GivenFile {
  #path: string | undefined;

  give(path: string | undefined): void {
    if (path !== undefined) this.#path = path;
  }

  get isWaiting(): boolean {
    return this.#path !== undefined;
  }

  take(): string | undefined {
    const path = this.#path;
    this.#path = undefined;
    return path;
  }
}

export function receiveFiles(app: App, opened: GivenFile, onGiven: () => void): void {
  opened.give(resultFileIn(process.argv, process.cwd()));
  app.on('open-file', (event, path) => {
    event.preventDefault();
    opened.give(path);
    onGiven();
  });
}

/** False for a second app, which must end: two would show and sweep the same runs. */
export function becomeOnlyInstance(app: App, onSecond: (file: string | undefined) => void): boolean {
  const file = resultFileIn(process.argv, process.cwd());
  // Chromium reorders arguments, so the file is passed separately.
  if (!app.requestSingleInstanceLock({ file })) return false;
  app.on('second-instance', (_event, _argv, _directory, data) => {
    const { file: given } = { ...(data as { file?: unknown } | null) };
    onSecond(typeof given === 'string' ? given : undefined);
  });
  return true;
}
