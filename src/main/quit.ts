import type { App } from 'electron';

export interface QuitHooks {
  isRunGoingOn(): boolean;
  confirm(): Promise<boolean>;
  shutDown(): Promise<void>;
}

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
  // Electron installs its own handlers before it is ready.
  void app.whenReady().then(() => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => void leave(false));
    }
  });
  return {
    mayClose() {
      if (phase === 'done') return true;
      app.quit();
      return false;
    },
  };
}
