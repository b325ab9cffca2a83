import { resolve } from 'node:path';
import type { App } from 'electron';
import * as z from 'zod';

/** What results are called; `.json` is what earlier versions and the terminal call them. */
const ENDINGS = ['.whalemark', '.json'];

/**
 * The result file among the arguments of a start, as an absolute path. Electron and Chromium put arguments of their own
 * anywhere among them, so it is known by its ending; the last one counts.
 */
export function resultFileIn(argv: readonly string[], directory: string): string | undefined {
  const file = argv
    .slice(1)
    .filter((one) => !one.startsWith('-') && ENDINGS.some((ending) => one.toLowerCase().endsWith(ending)))
    .at(-1);
  return file === undefined ? undefined : resolve(directory, file);
}

/** A result file that the user opened with the app, until the window has asked for it. */
export class GivenFile {
  #path: string | undefined;

  give(path: string | undefined): void {
    if (path !== undefined) this.#path = path;
  }

  get isWaiting(): boolean {
    return this.#path !== undefined;
  }

  /** The file, once. */
  take(): string | undefined {
    const path = this.#path;
    this.#path = undefined;
    return path;
  }
}

/** Files that the system gives: with the start, or while the app runs (macOS has an event of its own for both). */
export function receiveFiles(app: App, given: GivenFile, onGiven: () => void): void {
  given.give(resultFileIn(process.argv, process.cwd()));
  app.on('open-file', (event, path) => {
    event.preventDefault();
    given.give(path);
    onGiven();
  });
}

const handedOverSchema = z.object({ file: z.string().optional() });

/**
 * Makes sure that one app uses a data folder at a time: two would show and sweep the same runs. The lock belongs to
 * `userData`, so apps with data folders of their own don't see each other. False for the second one, which has then
 * handed over its file and must end; `onSecond` is called in the first.
 */
export function becomeOnlyInstance(app: App, onSecond: (file: string | undefined) => void): boolean {
  const file = resultFileIn(process.argv, process.cwd());
  // What the second one was started with comes in an order of Chromium's own, so its file comes by itself.
  if (!app.requestSingleInstanceLock({ file })) return false;
  app.on('second-instance', (_event, _argv, _directory, data) => {
    onSecond(handedOverSchema.safeParse(data).data?.file);
  });
  return true;
}
