import { within } from '@testing-library/dom';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import type { AppEvent } from '../../../src/shared/contract/ipc.ts';
import { newFolder } from '../../helpers/folders.ts';
import { pattern, t } from '../../helpers/words.ts';
import { PLAIN, type FakeBehavior } from '../../fake/behavior.ts';
import { desktop } from './electron.ts';
import { findersFor, type Finders } from './finders.ts';
import { startMain } from './fake-main.ts';

export interface AppOptions extends Partial<FakeBehavior> {
  /** Data folder of an app that was open before in this test; default: a new one. */
  home?: string;
  /** No search for engines ends. */
  searches?: boolean;
  /** The test moves the clock, with `vi.advanceTimersByTimeAsync`. */
  fakeTimers?: boolean;
}

export interface OpenApp extends Finders {
  user: UserEvent;
  screen: ReturnType<typeof within>;
  /** The data folder. */
  home: string;
  /** The fake core's behavior. A change holds from the next request on. */
  behavior: FakeBehavior;
  desktop: typeof desktop;
  /** Sends the window an event. */
  tell: (event: AppEvent) => void;
  close: () => Promise<void>;
}

let open: OpenApp[] = [];

/** Opens the window with all its modules again. Without a pace runs take no time. */
export async function openApp(options: AppOptions = {}): Promise<OpenApp> {
  const { home = newFolder(), searches, fakeTimers = false, ...asked } = options;
  const behavior = { ...PLAIN, pace: 0, ...asked };
  let dropped = '';
  // The preload script does the same.
  const onDrop = ({ dataTransfer }: DragEvent): void => {
    dropped = (dataTransfer?.files[0] as (File & { path?: string }) | undefined)?.path ?? '';
  };
  window.addEventListener('drop', onDrop, { capture: true });
  const main = startMain({ home, behavior: () => behavior, dropped: () => dropped });
  const request: typeof main.api.request = (name, params) =>
    searches && name === 'runtimes:look' ? new Promise(() => undefined) : main.api.request(name, params);
  Object.defineProperty(window, 'whalemark', { value: { ...main.api, request }, configurable: true });
  vi.resetModules();
  const { boot } = await import('../../../src/renderer/boot.ts');
  if (fakeTimers)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const target = document.body.appendChild(document.createElement('div'));
  const takeAway = await boot(target);
  const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
  const app: OpenApp = {
    ...findersFor(user),
    user,
    screen: within(document.body),
    home,
    behavior,
    desktop,
    tell: main.tell,
    close: async () => {
      open = open.filter((one) => one !== app);
      window.removeEventListener('drop', onDrop, { capture: true });
      main.close();
      await takeAway();
      target.remove();
    },
  };
  open.push(app);
  return app;
}

/** Opens the result that was there before. */
export async function openResult(options: AppOptions = {}): Promise<OpenApp> {
  const app = await openApp(options);
  await app.press(pattern('recent.open'));
  await app.region(t('result.numbers'));
  return app;
}

/** Closes everything that a test has opened. dom.ts calls it after each test. */
export async function closeApps(): Promise<void> {
  vi.useRealTimers();
  for (const app of open) await app.close();
  desktop.reset();
  document.body.replaceChildren();
}
