import type { App } from 'electron';

export interface QuitHooks {
  isRunGoingOn(): boolean;
  /** Asks the user; true to quit. */
  confirm(): Promise<boolean>;
  /** Stops what runs and cleans up; bounded in time. */
  shutDown(): Promise<void>;
}

/**
 * Leaves nothing behind: quitting first stops a run and cleans up, after asking when the user quits and without
 * asking when a signal does. Returns whether the window may close by now.
 */
export function setUpQuit(app: App, hooks: QuitHooks): { mayClose(): boolean } {
  let phase: 'running' | 'asking' | 'closing' | 'done' = 'running';

  const close = async (): Promise<void> => {
    phase = 'closing';
    await hooks.shutDown().catch(() => undefined);
    phase = 'done';
    app.quit();
  };
  const leave = async (ask: boolean): Promise<void> => {
    if (phase === 'closing' || phase === 'done' || (phase === 'asking' && ask)) return;
    if (ask && hooks.isRunGoingOn()) {
      phase = 'asking';
      const agreed = await hooks.confirm().catch(() => true);
      // A signal may have come while the dialog stood open.
      if (phase !== 'asking') return;
      if (!agreed) {
        phase = 'running';
        return;
      }
    }
    await close();
  };

  app.on('before-quit', (event) => {
    if (phase === 'done') return;
    event.preventDefault();
    void leave(true);
  });
  // Electron puts its own handlers (which quit like a user would) in place before it is ready: ours must come later.
  void app.whenReady().then(() => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => void leave(false));
    }
  });
  return {
    mayClose() {
      if (phase === 'done') return true;
      // The app is its one window: closing it is quitting, on every platform.
      app.quit();
      return false;
    },
  };
}
