import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '../shared/ipc.ts';
import { t } from './texts.ts';

/**
 * The menu: what every platform expects, and our commands. Reloading the page is not among them: Ctrl/Cmd+R looks
 * for runtimes again.
 */
export function setUpMenu(platform: NodeJS.Platform, onCommand: (command: MenuCommand) => void): void {
  const command = (name: MenuCommand, label: string, accelerator: string): MenuItemConstructorOptions => ({
    label,
    accelerator,
    click: () => onCommand(name),
  });
  const template: MenuItemConstructorOptions[] = [
    ...(platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
    {
      label: t('menu.file'),
      submenu: [
        command('open-result', t('menu.openResult'), 'CmdOrCtrl+O'),
        command('import-sysbench', t('menu.importSysbench'), 'CmdOrCtrl+I'),
        command('look-again', t('menu.lookAgain'), 'CmdOrCtrl+R'),
        { type: 'separator' },
        { role: platform === 'darwin' ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: t('menu.view'),
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
