import type { ElectronApplication } from '@playwright/test';

/** A page as it looks without scripts and network. */
export interface OpenedReport {
  /** All requests but the page's own. */
  requested: string[];
  scripts: number;
  dots: number;
  heading: { size: string; color: string };
}

/** Opens an HTML file in its own window with scripts switched off, and reads what it shows. */
export function openReport(app: ElectronApplication, file: string): Promise<OpenedReport> {
  return app.evaluate(async ({ BrowserWindow, session }, path) => {
    const own = session.fromPartition(`report-${Date.now()}`);
    const requested: string[] = [];
    own.webRequest.onBeforeRequest(({ url, resourceType }, callback) => {
      if (resourceType !== 'mainFrame') requested.push(url);
      callback({});
    });
    const webPreferences = { session: own, sandbox: true, javascript: false };
    const window = new BrowserWindow({ show: false, webPreferences });
    await window.loadFile(path);
    const { debugger: inspector } = window.webContents;
    inspector.attach();
    const expression = `JSON.stringify({
      scripts: document.querySelectorAll('script, [onclick], [onload], [onerror], a, img, link, iframe').length,
      dots: document.querySelectorAll('.plot circle').length,
      heading: { size: getComputedStyle(document.querySelector('h1')).fontSize, color: getComputedStyle(document.querySelector('header')).borderLeftColor },
    })`;
    const { result } = (await inspector.sendCommand('Runtime.evaluate', { expression })) as {
      result: { value: string };
    };
    window.destroy();
    return { ...(JSON.parse(result.value) as Omit<OpenedReport, 'requested'>), requested };
  }, file);
}
