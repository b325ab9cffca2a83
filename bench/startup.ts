// How long the app takes from its launch to a home screen that is drawn and answers, and to a “Start” that can be clicked, against
// the smallest Electron app there can be: one window with one line of text. Same Electron, same flags, in pairs, in random order.
// Both pages set a mark at that moment, and what they show is drawn with the next frame. The page's own clock tells when
// (performance.timeOrigin + the mark), so looking at it afterwards costs nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { createRandom } from '../src/benchmark/random.ts';
import { optionsOf } from '../scripts/setup/options.mjs';
import { Cleanup } from './lib/cleanup.ts';
import { describeMachine } from './lib/machine.ts';
import { describeRatio, meanRatio, median } from './lib/ratio.ts';
import { printTable } from './lib/table.ts';

const REACH = { usable: 1.5, start: 2 };
/** Home is drawn, and its navigation answers. */
const USABLE = 'home-usable';
/** An engine was found, and the plan for it is made. */
const START = 'start-enabled';
/** Time in which the app isn’t asked while it starts, because that would take CPU from it. */
const SETTLED_MS = 4_000;
const ASK_AGAIN_MS = 500;
const LAUNCH_MS = 60_000;

const { values } = optionsOf('npm run bench:startup -- [--pairs N]', {
  pairs: { type: 'string', default: '12' },
});

/** Chromium refuses its sandbox to root, the user of containers. */
const FLAGS = [
  '--disable-gpu',
  '--remote-debugging-port=0',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

const BARE_MAIN = `
const { app, BrowserWindow } = require('electron');
app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1240, height: 820, show: false });
  window.once('ready-to-show', () => window.show());
  window.loadFile('index.html');
});
app.on('window-all-closed', () => app.quit());
`;
const BARE_PAGE = `<!doctype html><title>Bare</title><p>Ready.</p><script>performance.mark('${USABLE}')</script>`;

const electron = createRequire(import.meta.url)('electron') as unknown as string;

/** Times from the start of the process to each mark in its page, ms. */
async function launched(folder: string, env: Record<string, string>, ...marks: string[]): Promise<number[]> {
  const began = performance.timeOrigin + performance.now();
  const child = spawn(electron, [folder, ...FLAGS], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(child, 'close');
  try {
    const port = await devtoolsPort(child.stderr);
    await delay(SETTLED_MS);
    // Electron has no management of browser contexts, which the defaults would use.
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true });
    const page = browser.contexts()[0]?.pages()[0];
    if (page === undefined) throw new Error('the app has no window');
    for (const until = Date.now() + LAUNCH_MS; Date.now() < until; await delay(ASK_AGAIN_MS)) {
      /** Times of the marks that the page has set, in ms since the epoch. */
      const at = await page.evaluate<number[]>(
        `${JSON.stringify(marks)}.flatMap((name) => performance.getEntriesByName(name).slice(0, 1))
           .map((mark) => performance.timeOrigin + mark.startTime)`,
      );
      if (at.length === marks.length) return at.map((one) => one - began);
    }
    throw new Error('the page never became usable');
  } finally {
    child.kill('SIGTERM');
    await closed;
  }
}

async function devtoolsPort(output: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += String(chunk);
    const found = /DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(text)?.[1];
    if (found !== undefined) {
      output.resume();
      return found;
    }
  }
  throw new Error(`the app ended: ${text}`);
}

const cleanup = new Cleanup();
await cleanup.around(async () => {
  const folder = cleanup.folder('bench-startup');
  const [bare, home] = [join(folder, 'bare'), join(folder, 'home')];
  for (const own of [bare, home]) mkdirSync(own);
  writeFileSync(join(bare, 'package.json'), JSON.stringify({ name: 'bare', main: 'main.js' }));
  writeFileSync(join(bare, 'main.js'), BARE_MAIN);
  writeFileSync(join(bare, 'index.html'), BARE_PAGE);
  const sides = {
    ours: () => launched('.', { WHALEMARK_HOME: home }, USABLE, START),
    bare: () => launched(bare, { XDG_CONFIG_HOME: join(folder, 'config') }, USABLE),
  };

  console.log(`${describeMachine()}\n`);
  // The first launch of each reads its files from the disk.
  await sides.ours();
  await sides.bare();
  const random = createRandom(Date.now());
  const times = { usable: [] as number[], start: [] as number[], bare: [] as number[] };
  for (let pair = 0; pair < Number(values.pairs); pair++) {
    const order = random() < 0.5 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
    for (const side of order) {
      const [usable = NaN, start = NaN] = await sides[side]();
      if (side === 'bare') times.bare.push(usable);
      else {
        times.usable.push(usable);
        times.start.push(start);
      }
    }
  }
  const text = (all: number[]): string =>
    `${median(all).toFixed(0)} (${Math.min(...all).toFixed(0)}–${Math.max(...all).toFixed(0)})`;
  const against = (name: string, part: keyof typeof REACH): string[] => {
    const isReached = meanRatio(times[part], times.bare) <= REACH[part];
    const ratio = describeRatio(times[part], times.bare);
    return [name, text(times[part]), ratio, `≤ ${REACH[part]}`, isReached ? '✓' : '✗'];
  };
  printTable([
    ['launch to', 'median ms (range)', 'ratio, 95 % interval', 'reach', ''],
    against('home drawn, navigation answers', 'usable'),
    against('“Start” enabled', 'start'),
    ['a bare Electron window', text(times.bare), '1', '', ''],
  ]);
});
