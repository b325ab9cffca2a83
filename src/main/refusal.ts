import { rmSync } from 'node:fs';
import { app, dialog } from 'electron';
import { failureAt } from '../benchmark/files/failures.ts';
import { toErrorData } from '../shared/errors.ts';
import { chosenLanguage, createTranslator, errorText } from '../shared/words/i18n.ts';
import { speak, t } from './texts.ts';

/** `unwritable` is undefined if the sandbox is lost. */
export function refuse(unwritable: { folder: string; reason: unknown } | undefined): void {
  const language = chosenLanguage('system', app.getLocale());
  speak(language);
  if (unwritable === undefined) return show(t('app.noSandbox'), t('app.noSandboxFix'));
  const error = failureAt(unwritable.folder, 'DATA_FOLDER_UNWRITABLE', unwritable.reason);
  const { message, hint } = errorText(toErrorData(error), createTranslator(language));
  show(message, hint, () => rmSync(app.getPath('userData'), { recursive: true, force: true }));
}

function show(message: string, detail: string, cleanUp?: () => void): void {
  process.stderr.write(`${message} ${detail}\n`);
  void dialog.showMessageBox({ type: 'error', message, detail }).then(() => {
    cleanUp?.();
    app.exit(1);
  });
}
