import type { ElectronApplication } from '@playwright/test';

/** Quits like a user would, agreeing to stop whatever runs. */
export async function closeApp(app: ElectronApplication): Promise<void> {
  await app
    .evaluate(({ dialog }) => {
      dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
    })
    .catch(() => undefined);
  await app.close();
}
