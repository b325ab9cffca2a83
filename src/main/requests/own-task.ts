import { basename, dirname } from 'node:path';
import type { BrowserWindow } from 'electron';
import { allRequests, type Params } from '../../shared/contract/ipc.ts';
import { msg } from '../../shared/message.ts';
import { say, t } from '../texts.ts';
import { commandWords } from './command-line.ts';
import { chosenFile, confirmed } from './dialogs.ts';
import { type AskCore, type MainHandlers, valueFromCore } from './router.ts';

/** The system first asks the user with the command's exact words. */
export function createTaskHandlers(
  askCore: AskCore,
  window: () => BrowserWindow | undefined,
  dropped: () => string,
) {
  const keep = async (task: Params<'core:own-task'>): Promise<string> =>
    allRequests['core:own-task'].answer.parse(await valueFromCore(askCore, 'core:own-task', task));
  return {
    'tasks:open-dump': async ({ by }) => {
      const ask = () => chosenFile(window(), t('dialog.openDump'), ['sql', 'any']);
      const path = by === 'drop' ? dropped() : await ask();
      if (path === null || path === '') return null;
      const key = await keep({ kind: 'dump', path });
      return { key, kind: 'dump', text: basename(path), folder: dirname(path) };
    },
    'tasks:open-command': async ({ text }) => {
      const words = commandWords(text, process.platform);
      const folder = await chosenFile(window(), t('dialog.commandFolder'), [], 'openDirectory');
      if (folder === null || !(await mayRun(window(), words, folder))) return null;
      const key = await keep({ kind: 'command', words, folder });
      return { key, kind: 'command', text: text.trim(), folder };
    },
  } satisfies Partial<MainHandlers>;
}

function mayRun(
  parent: BrowserWindow | undefined,
  words: readonly string[],
  folder: string,
): Promise<boolean> {
  const quoted = words.map((word) => JSON.stringify(word)).join(' ');
  return confirmed(parent, {
    message: t('dialog.command.message'),
    detail: t('dialog.command.detail', { words: quoted, folder, what: say(msg('consent.ownCommand')) }),
    buttons: [t('dialog.command.confirm'), t('common.cancel')],
  });
}
