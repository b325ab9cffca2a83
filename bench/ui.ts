// Whether a long result opens at once: the example's run with so many windows in each trial, opened from the history by the app
// that users get.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseResult, serializeResult } from '../src/benchmark/store/result-file.ts';
import { pattern, t } from '../tests/helpers/words.ts';
import { optionsOf } from '../scripts/setup/options.mjs';
import { App } from './lib/app.ts';
import { Cleanup } from './lib/cleanup.ts';
import { describeMachine } from './lib/machine.ts';
import { held, type Held } from './lib/processes.ts';
import { median } from './lib/ratio.ts';
import { printTable } from './lib/table.ts';

const REACH = { openMs: 1000, rendererMiB: 300 };
const LONG_MS = 300_000;

const { values } = optionsOf('npm run bench:ui -- [--windows N] [--opens N]', {
  windows: { type: 'string', default: '5000' },
  opens: { type: 'string', default: '5' },
});

/** The page's globals that are used here; tests/e2e/support/in-page.ts says why they have no types. */
interface InPage {
  document: { querySelector(selector: string): object | null };
  performance: { now(): number };
  addEventListener(
    type: 'click',
    listener: (event: { timeStamp: number }) => void,
    options: { capture: true; once: true },
  ): void;
  requestAnimationFrame(callback: () => void): void;
  requestIdleCallback(callback: () => void): void;
}

/** Runs in the page: ms from the next click to a result that is drawn while the main thread has nothing more to do. */
function untilUsable(): Promise<number> {
  const inPage = globalThis as unknown as InPage;
  return new Promise((resolve) => {
    const began = ({ timeStamp }: { timeStamp: number }): void => {
      const look = (): void => {
        if (inPage.document.querySelector('#numbers-title') === null) {
          return inPage.requestAnimationFrame(look);
        }
        // The frame in which it is has been drawn when the next one begins.
        inPage.requestAnimationFrame(() =>
          inPage.requestIdleCallback(() => resolve(inPage.performance.now() - timeStamp)),
        );
      };
      look();
    };
    inPage.addEventListener('click', began, { capture: true, once: true });
  });
}

/** Stores the example's run with so many windows in each trial. Returns the size of its file, MiB. */
function storeLongRun(home: string, windows: number): number {
  const state = parseResult(
    gunzipSync(readFileSync('assets/example/result.json.gz')).toString('utf8'),
    'example',
  );
  const trials = state.trials.map((trial) => ({
    ...trial,
    windows: trial.windows.flatMap((window, _, all) =>
      Array.from({ length: Math.ceil(windows / all.length) }, () => window),
    ),
  }));
  const folder = join(home, 'runs', state.runId);
  mkdirSync(folder, { recursive: true });
  const text = serializeResult({ ...state, trials });
  writeFileSync(join(folder, 'result.json'), text);
  return text.length / 2 ** 20;
}

/** Opens the result in an app that has just been started: from the user's click to the page drawn and idle. */
async function openResult(home: string): Promise<{ ms: number; held: Held[] }> {
  const app = await App.launch(home);
  try {
    const entry = app.page.getByRole('button', { name: pattern('recent.open') }).first();
    // Until the plan is there, home shifts what is below it.
    const options = app.page.getByRole('button', { name: t('home.options'), exact: true });
    await options.and(app.page.locator(':enabled')).waitFor();
    await entry.waitFor({ timeout: LONG_MS });
    const opened = app.page.evaluate(untilUsable);
    await entry.click();
    const ms = await opened;
    return { ms, held: (await app.processes()).flatMap((process) => held(process) ?? []) };
  } finally {
    await app.close();
  }
}

const cleanup = new Cleanup();
await cleanup.around(async () => {
  const home = cleanup.folder('bench-ui');
  const mebibytes = storeLongRun(home, Number(values.windows));
  console.log(`${describeMachine()}\n${values.windows} windows a trial, ${mebibytes.toFixed(0)} MiB\n`);
  const opens: Awaited<ReturnType<typeof openResult>>[] = [];
  for (let index = 0; index < Number(values.opens); index++) opens.push(await openResult(home));

  const ms = opens.map((one) => one.ms);
  const most = (role: string, figure: 'peakMiB' | 'residentMiB'): number =>
    Math.max(
      ...opens.flatMap((one) => one.held.filter((held) => held.role === role)).map((one) => one[figure]),
    );
  const against = (name: string, figure: number, reach: number): string[] => [
    ...[name, figure.toFixed(0), `≤ ${reach}`, figure <= reach ? '✓' : '✗'],
  ];
  printTable([
    ['figure', 'measured', 'reach', ''],
    against(`result opens, slowest of ${ms.length} (ms)`, Math.max(...ms), REACH.openMs),
    ['– median', median(ms).toFixed(0), '', ''],
    against('renderer, peak of resident memory (MiB)', most('renderer', 'peakMiB'), REACH.rendererMiB),
    ['main process (MiB)', most('main', 'residentMiB').toFixed(0), '', ''],
    ['core process (MiB)', most('core', 'residentMiB').toFixed(0), '', ''],
  ]);
});
