import { mkdir } from 'node:fs/promises';
import { shell } from 'electron';
import { englishOf } from '../../shared/message.ts';
import { PRIVATE_FOLDER } from '../../benchmark/files/data-dir.ts';
import { diagnosticsText } from '../../benchmark/diagnostics/diagnostics.ts';
import { logFolder } from '../../benchmark/log/log.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { allRequests, type Envelope } from '../../shared/contract/ipc.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { DiagnosticsPart } from '../../shared/model/diagnostics-part.ts';
import type { AskCore, MainHandlers } from './router.ts';

/** Longer than a look for runtimes takes. */
const PATIENCE_MS = 12_000;

/** Requests for bug reports. They are answered, whatever became of the core. */
export function createDiagnosticsHandlers(
  askCore: AskCore,
  { dataDir, appVersion, settings }: { dataDir: string; appVersion: string; settings: () => Settings },
) {
  return {
    'diagnostics:preview': async () => {
      const { electron, chrome, node } = process.versions;
      const text = await diagnosticsText({
        dataDir,
        appVersion,
        program: [`app, Electron ${electron}, Chromium ${chrome}, Node.js ${node}`],
        settings: settings(),
        engine: await engineParts(askCore),
      });
      return { text };
    },
    'diagnostics:open-log-folder': async () => {
      const folder = logFolder(dataDir);
      // A log that could never be written has no folder.
      await mkdir(folder, PRIVATE_FOLDER).catch(() => undefined);
      // eslint-disable-next-line no-restricted-syntax -- the folder of the log
      const reason = await shell.openPath(folder);
      if (reason !== '') throw new BenchmarkError('FOLDER_NOT_OPENED', { path: folder, reason });
      return undefined;
    },
  } satisfies Partial<MainHandlers>;
}

/** What the core tells, or why it doesn't. */
async function engineParts(askCore: AskCore): Promise<DiagnosticsPart[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  const envelope = await Promise.race<Envelope | undefined>([askCore('core:diagnostics', {}), timeout]);
  clearTimeout(timer);
  if (envelope?.ok === true) {
    const parts = allRequests['core:diagnostics'].answer.safeParse(envelope.value);
    if (parts.success) return parts.data;
  }
  const why =
    envelope === undefined
      ? [`no answer within ${PATIENCE_MS / 1000} s`]
      : envelope.ok
        ? ['an answer that can’t be read']
        : [`${envelope.error.code}: ${envelope.error.message}`, ...envelope.error.evidence.map(englishOf)];
  return [{ title: 'The measuring process told nothing', lines: why }];
}
