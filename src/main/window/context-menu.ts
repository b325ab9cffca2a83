import { Menu, type MenuItemConstructorOptions, type WebContents } from 'electron';
import { contextEntries } from './context-entries.ts';
import { t } from '../texts.ts';

/** Shows the menu on a right click, or on the keyboard's menu key. */
export function setUpContextMenu(contents: WebContents): void {
  contents.on('context-menu', (_, params) => {
    const template = contextEntries(params).flatMap((group, index): MenuItemConstructorOptions[] => [
      ...(index === 0 ? [] : [{ type: 'separator' as const }]),
      ...group.map(({ role, enabled }) => ({ role, enabled, label: t(`menu.${role}`) })),
    ]);
    if (template.length > 0) Menu.buildFromTemplate(template).popup();
  });
}
