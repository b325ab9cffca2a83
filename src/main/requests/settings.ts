import { app, nativeTheme } from 'electron';
import { SettingsStore } from '../../benchmark/installation/settings-store.ts';
import { chosenLanguage } from '../../shared/words/i18n.ts';
import type { Answer } from '../../shared/contract/ipc.ts';
import type { Settings, SettingsProblem } from '../../shared/model/settings.ts';
import type { MainHandlers } from './router.ts';
import { speak } from '../texts.ts';

/** The settings as main keeps and applies them. */
export interface AppSettings {
  readonly current: Settings;
  readonly handlers: Pick<MainHandlers, 'settings:get' | 'settings:change'>;
}

/** Applies theme and language now and after every change; `onChange` does what else a change needs. */
export function setUpSettings(dataDir: string, onChange: (settings: Settings) => void): AppSettings {
  const store = new SettingsStore(dataDir);
  const answer = (problems: SettingsProblem[] = []): Answer<'settings:get'> => ({
    settings: store.current,
    problems,
    systemLanguage: app.getLocale(),
  });
  let toTell = [...store.problems];
  const apply = (): void => {
    const { language, theme } = store.current;
    nativeTheme.themeSource = theme;
    speak(chosenLanguage(language, app.getLocale()));
  };
  apply();
  return {
    get current() {
      return store.current;
    },
    handlers: {
      // Problems are told once.
      'settings:get': () => {
        const told = toTell;
        toTell = [];
        return Promise.resolve(answer(told));
      },
      'settings:change': ({ change }) => {
        store.change(change);
        apply();
        onChange(store.current);
        return Promise.resolve(answer());
      },
    },
  };
}
