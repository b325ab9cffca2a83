import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { contextEntries, menuTemplate } from '../../../../src/main/window/menu.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import type { Language } from '../../../../src/shared/model/settings.ts';
import type { MenuCommand } from '../../../../src/shared/contract/ipc.ts';

vi.mock('electron', () => ({}));

const PLATFORMS = ['darwin', 'win32', 'linux'] as const;

function itemsOf(platform: NodeJS.Platform, language: Language = 'en', chosen: MenuCommand[] = []) {
  const translate = createTranslator(language);
  const menus = menuTemplate({
    platform,
    onCommand: (command) => chosen.push(command),
    t: (key, params) => translate(`ui:${key}`, params),
  });
  const items = menus.flatMap(({ submenu }) => submenu as MenuItemConstructorOptions[]);
  return { menus, items };
}

describe.each(PLATFORMS)('the menu on %s', (platform) => {
  it('gives no shortcut twice', () => {
    const keys = itemsOf(platform).items.flatMap(({ accelerator }) => accelerator ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('names every entry in each language', () => {
    for (const language of ['en', 'zh-CN'] as const) {
      const { menus, items } = itemsOf(platform, language);
      for (const { label, type, visible } of [...menus, ...items]) {
        if (type === 'separator' || visible === false) continue;
        expect(label).toMatch(/\S/);
        expect(label).not.toMatch(/^(ui:)?menu\./);
      }
    }
    expect(itemsOf(platform, 'zh-CN').items.find(({ role }) => role === 'paste')?.label).toBe('粘贴');
  });

  it('has the entry that a file too large to be dropped is sent to', () => {
    for (const language of ['en', 'zh-CN'] as const) {
      const { menus } = itemsOf(platform, language);
      const places = menus.flatMap(({ label: menu, submenu }) =>
        (submenu as MenuItemConstructorOptions[]).flatMap(({ id, label }) =>
          id === 'open-result' ? `${menu ?? ''} → ${label ?? ''}` : [],
        ),
      );
      const said = createTranslator(language)('ui:drop.large', { name: 'old.json' });
      expect(places.map((place) => said.endsWith(place))).toEqual([true]);
    }
  });

  it('has what is copied and pasted with', () => {
    const roles = itemsOf(platform).items.flatMap(({ role }) => role ?? []);
    expect(roles).toEqual(
      expect.arrayContaining(['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll', 'quit']),
    );
  });

  it('tells which command was chosen', () => {
    const chosen: MenuCommand[] = [];
    const { items } = itemsOf(platform, 'en', chosen);
    const commands = items.filter(({ id }) => id !== undefined);
    // The real parameters are of no interest to a command.
    for (const { click } of commands) (click as () => void)();
    expect(chosen).toEqual(commands.map(({ id }) => id));
    expect(chosen).toEqual(
      expect.arrayContaining(['new-comparison', 'open-result', 'settings', 'about', 'method']),
    );
  });
});

describe('a right click', () => {
  const editFlags = {
    canUndo: true,
    canRedo: false,
    canCut: false,
    canCopy: false,
    canPaste: true,
    canSelectAll: true,
  };
  const roles = (clicked: Parameters<typeof contextEntries>[0]) =>
    contextEntries(clicked)
      .flat()
      .map(({ role, enabled }) => `${role}${enabled ? '' : ' (grey)'}`);

  it('on selected text offers to copy it, and on nothing nothing', () => {
    const flags = { ...editFlags, canCopy: true };
    expect(roles({ isEditable: false, selectionText: '4.2 ms', editFlags: flags })).toEqual(['copy']);
    expect(roles({ isEditable: false, selectionText: ' \n', editFlags: flags })).toEqual([]);
  });
});
