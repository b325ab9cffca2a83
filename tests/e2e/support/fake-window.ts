import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type * as electron from 'electron';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/shared/model/settings.ts';
import { closeApp } from './close-app.ts';
import type { InPage } from './in-page.ts';
import { startApp, type RunningApp } from './start-app.ts';

/** The beginning of a test's window. Everything that isn't named is as in a new app. */
export interface FakeStart {
  /** A story of tests/fake: the engine, and the results of its runs. */
  story?: string;
  /** Milliseconds between two events of a run. */
  pace?: number;
  /** Windows and steps after which a run waits. */
  holdAfter?: number;
  /** A file that docker-states.ts writes. */
  reportFile?: string;
  settings?: Partial<Settings>;
  /** Puts files into the data folder before the window opens. */
  prepare?: (home: string) => void;
}
type Behavior = Pick<FakeStart, 'story' | 'pace' | 'holdAfter' | 'reportFile'>;

/** A test's window, which no other test uses meanwhile. */
export interface FakeWindow extends RunningApp {
  /** Changes the fake core's behavior. Everything that isn't named stays. */
  become(behavior: Behavior): Promise<void>;
}

/** Chromium's own files, and the log, which the app holds open. */
const STAYS = ['electron', 'logs'];
/** The content's size at the first start. */
const CONTENT = { width: 1240, height: 820 };

/**
 * One app with the fake core for many tests, one after the other. Before each it becomes as new: its data folder is
 * emptied, the fake core forgets, main's settings are the defaults, whatever a test put in place of Electron's own
 * goes, and the page loads again.
 */
export class FakeWindowKeeper {
  readonly #folder: string;
  readonly #home = mkdtempSync(join(tmpdir(), 'whalemark-e2e-shared-'));
  #running: RunningApp | undefined;
  #behavior: Behavior = {};
  #resets = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async open({ settings = {}, prepare, ...behavior }: FakeStart = {}): Promise<FakeWindow> {
    const running = await this.#start();
    const { app, page } = running;
    await page.evaluate(stopRun);
    for (const name of readdirSync(this.#home)) {
      if (!STAYS.includes(name)) rmSync(join(this.#home, name), { recursive: true, force: true });
    }
    this.#behavior = behavior;
    this.#resets++;
    this.#write();
    prepare?.(this.#home);
    await app.evaluate(asElectronMadeIt);
    await page.emulateMedia({ colorScheme: null, reducedMotion: null });
    await page.setViewportSize(CONTENT);
    await page.evaluate(change, { ...DEFAULT_SETTINGS, ...settings });
    await page.reload();
    return { ...running, become: (more) => this.#become(page, more) };
  }

  async close(): Promise<void> {
    if (this.#running !== undefined) await closeApp(this.#running.app);
    this.#running = undefined;
    rmSync(this.#home, { recursive: true, force: true });
  }

  async #start(): Promise<RunningApp> {
    if (this.#running !== undefined) return this.#running;
    mkdirSync(this.#home, { recursive: true });
    this.#running = await startApp({ folder: this.#folder, home: this.#home });
    await this.#running.app.evaluate(rememberElectron);
    return this.#running;
  }

  async #become(page: Page, more: Behavior): Promise<void> {
    Object.assign(this.#behavior, more);
    this.#write();
    // The fake core reads the file at a request.
    await page.evaluate(() => (globalThis as unknown as InPage).whalemark.request('run:current', {}));
  }

  #write(): void {
    const file = { ...this.#behavior, reset: this.#resets };
    writeFileSync(join(this.#home, 'fake.json'), JSON.stringify(file));
  }
}

/** Runs in the page. Main must not believe that a forgotten run continues. */
async function stopRun(): Promise<void> {
  const { whalemark } = globalThis as unknown as InPage;
  const goesOn = async (): Promise<boolean> => {
    const answer = await whalemark.request('run:current', {});
    return answer.ok && answer.value !== null && answer.value.status !== 'finished';
  };
  if (!(await goesOn())) return;
  await whalemark.request('run:stop', {});
  while (await goesOn()) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function change(settings: Settings): Promise<void> {
  const { whalemark } = globalThis as unknown as InPage;
  const answer = await whalemark.request('settings:change', { change: settings });
  if (!answer.ok) throw new Error(answer.error.message);
}

type Electron = typeof electron;
type Kept = [object: object, functions: Record<string, unknown>][];

/** Runs in main, and keeps the functions that tests replace. */
function rememberElectron({ dialog, shell, Menu }: Electron): void {
  const objects = [dialog, shell, Menu.prototype as object];
  const kept: Kept = objects.map((object) => [
    object,
    Object.fromEntries(Object.entries(object).filter(([, value]) => typeof value === 'function')),
  ]);
  Object.assign(globalThis, { kept });
}

/** Runs in main. The kept functions come back, and the machine is on the mains again. */
function asElectronMadeIt({ BrowserWindow, clipboard, powerMonitor }: Electron): void {
  for (const [object, functions] of (globalThis as unknown as { kept: Kept }).kept) {
    Object.assign(object, functions);
  }
  clipboard.clear();
  powerMonitor.emit('on-ac');
  for (const window of BrowserWindow.getAllWindows()) window.webContents.setZoomFactor(1);
}
