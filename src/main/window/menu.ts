import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '../../shared/contract/ipc.ts';
import { RUN_COMMANDS, type RunCommand } from '../../shared/contract/requests/app.ts';
import { menuTemplate } from './menu-template.ts';
import { t } from '../texts.ts';

/** Kept here, since a new language makes the menu anew. */
let offered: readonly RunCommand[] = [];

/** The menu in the language of the settings. */
export function setUpMenu(platform: NodeJS.Platform, onCommand: (command: MenuCommand) => void): void {
  const template: MenuItemConstructorOptions[] = menuTemplate({ platform, onCommand, t });
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  offerCommands(offered);
}

/** Greys the commands of a run that make no sense now. */
export function offerCommands(commands: readonly RunCommand[]): void {
  offered = commands;
  const menu = Menu.getApplicationMenu();
  for (const command of RUN_COMMANDS) {
    const item = menu?.getMenuItemById(command);
    if (item !== null && item !== undefined) item.enabled = commands.includes(command);
  }
}
