import { release } from 'node:os';
import type { App, BrowserWindow } from 'electron';
import { errorFields, log, logLastWords, startLog, whoseMachine } from '../benchmark/log/log.ts';
import { namesIn } from '../benchmark/runtime/runtime-log.ts';
import type { Envelope } from '../shared/contract/ipc.ts';
import { runtimeReportSchema } from '../shared/model/passport.ts';
import type { CoreProcessOptions } from './core-process.ts';

const UNEXPECTED = new Set(['INTERNAL', 'CORE_LOST']);

export function setUpLog(app: App, window: BrowserWindow | undefined, dataDir: string): void {
  startLog('main', whoseMachine(dataDir));
  logLastWords({ survivesRejections: true });
  const { electron, chrome, node } = process.versions;
  log.info('app started', {
    version: app.getVersion(),
    electron,
    chrome,
    node,
    platform: `${process.platform} ${process.arch} ${release()}`,
    packaged: app.isPackaged,
    dataDir,
  });
  app.on('render-process-gone', (_event, _contents, { reason, exitCode }) => {
    log.error('the window’s process has gone', { reason, exitCode });
  });
  app.on('child-process-gone', (_event, { type, reason, exitCode, name }) => {
    log.warn('a process of Electron has gone', { type, reason, exitCode, name });
  });
  window?.on('unresponsive', () => log.warn('the window does not answer'));
  window?.on('responsive', () => log.info('the window answers again'));
}

export const logCoreExit: NonNullable<CoreProcessOptions['onExit']> = ({ code, lastWords, expected }) => {
  if (expected) log.info('core ended', { exitCode: code });
  else log.error('core died', { exitCode: code, lastWords });
};

export function withLoggedErrors(
  answer: (name: unknown, params: unknown) => Promise<Envelope>,
): (name: unknown, params: unknown) => Promise<Envelope> {
  return async (name, params) => {
    const began = Date.now();
    const envelope = await answer(name, params);
    if (!envelope.ok) {
      const fields = { request: name, ms: Date.now() - began, error: errorFields(envelope.error) };
      if (UNEXPECTED.has(envelope.error.code)) log.error('request failed', fields);
      else log.warn('request refused', fields);
    } else if (name === 'runtimes:look') {
      hideNamesIn(envelope.value);
    }
    return envelope;
  };
}

function hideNamesIn(answer: unknown): void {
  const report = runtimeReportSchema.safeParse(answer);
  if (report.success) log.hide(...namesIn(report.data));
}
