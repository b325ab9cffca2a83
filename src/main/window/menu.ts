import { type ContextMenuParams, Menu, type MenuItemConstructorOptions, type WebContents } from 'electron';
import type { MenuCommand } from '../../shared/contract/ipc.ts';
import { RUN_COMMANDS, type RunCommand } from '../../shared/contract/requests/app.ts';
import { t, type t as translate } from '../texts.ts';

let offered: readonly RunCommand[] = [];

export function setUpMenu(platform: NodeJS.Platform, onCommand: (command: MenuCommand) => void): void {
  const template: MenuItemConstructorOptions[] = menuTemplate({ platform, onCommand, t });
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  offerCommands(offered);
}

export function offerCommands(commands: readonly RunCommand[]): void {
  offered = commands;
  const menu = Menu.getApplicationMenu();
  for (const command of RUN_COMMANDS) {
    const item = menu?.getMenuItemById(command);
    if (item !== null && item !== undefined) item.enabled = commands.includes(command);
  }
}

interface MenuParts {
  platform: NodeJS.Platform;
  onCommand: (command: MenuCommand) => void;
  t: typeof translate;
}
type Items = MenuItemConstructorOptions[];
const SEPARATOR: MenuItemConstructorOptions = { type: 'separator' };

/** Electron's own labels are English only. */
export function menuTemplate({ platform, onCommand, t }: MenuParts): Items {
  const isMac = platform === 'darwin';
  const command = (name: MenuCommand, label: string, accelerator?: string): MenuItemConstructorOptions => ({
    id: name,
    label,
    click: () => onCommand(name),
    ...(accelerator === undefined ? {} : { accelerator }),
  });
  const about = command('about', t('menu.about'));
  const settings = command('settings', t('menu.settings'), 'CmdOrCtrl+,');

  const appMenu: Items = [
    about,
    SEPARATOR,
    settings,
    SEPARATOR,
    { role: 'services', label: t('menu.services') },
    SEPARATOR,
    { role: 'hide', label: t('menu.hide') },
    { role: 'hideOthers', label: t('menu.hideOthers') },
    { role: 'unhide', label: t('menu.showAll') },
    SEPARATOR,
    { role: 'quit', label: t('menu.quit') },
  ];
  const file: Items = [
    command('new-comparison', t('menu.newComparison'), 'CmdOrCtrl+N'),
    SEPARATOR,
    command('open-result', t('menu.openResult'), 'CmdOrCtrl+O'),
    ...(isMac ? [recentDocuments(t)] : []),
    SEPARATOR,
    ...(isMac
      ? [{ role: 'close' as const, label: t('menu.closeWindow') }]
      : [settings, SEPARATOR, { role: 'quit' as const, label: t('menu.quit') }]),
  ];
  const edit: Items = [
    { role: 'undo', label: t('menu.undo') },
    { role: 'redo', label: t('menu.redo') },
    SEPARATOR,
    { role: 'cut', label: t('menu.cut') },
    { role: 'copy', label: t('menu.copy') },
    { role: 'paste', label: t('menu.paste') },
    { role: 'delete', label: t('menu.delete') },
    SEPARATOR,
    { role: 'selectAll', label: t('menu.selectAll') },
  ];
  const view: Items = [
    command('home', t('app.home'), 'CmdOrCtrl+1'),
    command('history', t('app.history'), 'CmdOrCtrl+2'),
    SEPARATOR,
    command('look-again', t('menu.lookAgain'), 'CmdOrCtrl+R'),
    SEPARATOR,
    { role: 'resetZoom', label: t('menu.resetZoom') },
    { role: 'zoomIn', label: t('menu.zoomIn') },
    // “Plus” needs shift on most keyboards.
    { role: 'zoomIn', accelerator: 'CmdOrCtrl+=', visible: false, acceleratorWorksWhenHidden: true },
    { role: 'zoomOut', label: t('menu.zoomOut') },
    SEPARATOR,
    { role: 'togglefullscreen', label: t('menu.fullScreen') },
  ];
  const run: Items = [
    { ...command('start-run', t('menu.startRun'), 'CmdOrCtrl+Enter'), enabled: false },
    { ...command('pause-run', t('menu.pauseRun'), 'CmdOrCtrl+P'), enabled: false },
    { ...command('skip-trial', t('live.skip')), enabled: false },
    { ...command('stop-run', t('menu.stopRun'), 'CmdOrCtrl+.'), enabled: false },
  ];
  const window: Items = [
    { role: 'minimize', label: t('menu.minimize') },
    ...(isMac
      ? [
          { role: 'zoom' as const, label: t('menu.zoomWindow') },
          SEPARATOR,
          { role: 'front' as const, label: t('menu.bringToFront') },
        ]
      : []),
  ];
  const help: Items = [
    command('method', t('method.title'), 'F1'),
    command('diagnostics', t('menu.diagnostics')),
    ...(isMac ? [] : [SEPARATOR, about]),
  ];

  return [
    ...(isMac ? [{ label: 'Whalemark', submenu: appMenu }] : []),
    { label: t('menu.file'), submenu: file },
    { label: t('menu.edit'), submenu: edit },
    { label: t('menu.view'), submenu: view },
    { label: t('menu.run'), submenu: run },
    // macOS adds entries to these two menus.
    { role: 'window', label: t('menu.window'), submenu: window },
    { role: 'help', label: t('menu.help'), submenu: help },
  ];
}

/** macOS fills this menu from `app.addRecentDocument`. */
function recentDocuments(t: typeof translate): MenuItemConstructorOptions {
  return {
    role: 'recentDocuments',
    label: t('menu.openRecent'),
    submenu: [{ role: 'clearRecentDocuments', label: t('menu.clearRecent') }],
  };
}

export function setUpContextMenu(contents: WebContents): void {
  contents.on('context-menu', (_, params) => {
    const template = contextEntries(params).flatMap((group, index): MenuItemConstructorOptions[] => [
      ...(index === 0 ? [] : [{ type: 'separator' as const }]),
      ...group.map(({ role, enabled }) => ({ role, enabled, label: t(`menu.${role}`) })),
    ]);
    if (template.length > 0) Menu.buildFromTemplate(template).popup();
  });
}

type Role = 'undo' | 'redo' | 'cut' | 'copy' | 'paste' | 'selectAll';

interface Clicked {
  isEditable: boolean;
  selectionText: string;
  editFlags: Pick<
    ContextMenuParams['editFlags'],
    'canUndo' | 'canRedo' | 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll'
  >;
}

export function contextEntries({
  isEditable,
  selectionText,
  editFlags,
}: Clicked): { role: Role; enabled: boolean }[][] {
  if (isEditable) {
    return [
      [
        { role: 'undo', enabled: editFlags.canUndo },
        { role: 'redo', enabled: editFlags.canRedo },
      ],
      [
        { role: 'cut', enabled: editFlags.canCut },
        { role: 'copy', enabled: editFlags.canCopy },
        { role: 'paste', enabled: editFlags.canPaste },
      ],
      [{ role: 'selectAll', enabled: editFlags.canSelectAll }],
    ];
  }
  if (selectionText.trim() === '') return [];
  return [[{ role: 'copy', enabled: editFlags.canCopy }]];
}
