import { EventEmitter } from 'node:events';
import type { App } from 'electron';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setUpQuit, type QuitHooks } from '../../../src/main/quit.ts';

/** Electron's app, as far as quitting needs it. */
class FakeApp extends EventEmitter {
  hasQuit = false;
  whenReady = (): Promise<void> => Promise.resolve();
  quit(): void {
    let isPrevented = false;
    this.emit('before-quit', { preventDefault: () => (isPrevented = true) });
    if (!isPrevented) this.hasQuit = true;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));

afterEach(() => {
  for (const signal of SIGNALS) {
    for (const listener of process.listeners(signal)) {
      if (before.get(signal)?.includes(listener) !== true) process.off(signal, listener);
    }
  }
});

async function setUp(hooks: Partial<QuitHooks> = {}) {
  const app = new FakeApp();
  const shutDown = vi.fn<QuitHooks['shutDown']>(() => Promise.resolve());
  const confirm = vi.fn<QuitHooks['confirm']>(() => Promise.resolve(true));
  const quitting = setUpQuit(app as unknown as App, {
    isRunGoingOn: () => true,
    confirm,
    shutDown,
    ...hooks,
  });
  await Promise.resolve();
  return { app, shutDown, confirm, quitting };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

describe('quitting', () => {
  it('cleans up first, without asking when nothing goes on', async () => {
    const { app, shutDown, confirm } = await setUp({ isRunGoingOn: () => false });
    app.quit();
    expect(app.hasQuit).toBe(false);
    await settled();
    expect(shutDown).toHaveBeenCalledOnce();
    expect(confirm).not.toHaveBeenCalled();
    expect(app.hasQuit).toBe(true);
  });

  it('asks while a run goes on, and stays when the user says so', async () => {
    const { app, shutDown } = await setUp({ confirm: () => Promise.resolve(false) });
    app.quit();
    await settled();
    expect(app.hasQuit).toBe(false);
    expect(shutDown).not.toHaveBeenCalled();
  });

  it('asks once, however often the window is closed', async () => {
    let agree: (agreed: boolean) => void = () => undefined;
    const confirm = vi.fn(() => new Promise<boolean>((resolve) => (agree = resolve)));
    const { app, quitting } = await setUp({ confirm });
    expect(quitting.mayClose()).toBe(false);
    expect(quitting.mayClose()).toBe(false);
    expect(confirm).toHaveBeenCalledOnce();
    agree(true);
    await settled();
    expect(app.hasQuit).toBe(true);
    expect(quitting.mayClose()).toBe(true);
  });

  it('does not ask when a signal says so, even while the question stands open', async () => {
    const { app, shutDown } = await setUp({ confirm: () => new Promise(() => undefined) });
    app.quit();
    process.emit('SIGTERM');
    await settled();
    expect(shutDown).toHaveBeenCalledOnce();
    expect(app.hasQuit).toBe(true);
  });

  it('quits even when cleaning up fails', async () => {
    const { app } = await setUp({
      isRunGoingOn: () => false,
      shutDown: () => Promise.reject(new Error('boom')),
    });
    app.quit();
    await settled();
    expect(app.hasQuit).toBe(true);
  });
});
