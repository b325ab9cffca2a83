import { chosenLanguage } from '../../shared/words/i18n.ts';
import {
  DEFAULT_SETTINGS,
  type Language,
  type Settings,
  type SettingsProblem,
} from '../../shared/model/settings.ts';
import { request } from '../api.ts';
import type { Answer } from '../../shared/contract/ipc.ts';

/** What the user has chosen once for all, as main keeps it. */
class SettingsState {
  current = $state.raw<Settings>(DEFAULT_SETTINGS);
  systemLanguage = $state('en');
  /** What was wrong with the settings file, until the user has read it. */
  problems = $state.raw<SettingsProblem[]>([]);
  readonly language: Language = $derived(chosenLanguage(this.current.language, this.systemLanguage));
}

export const settings = new SettingsState();

/** Asks for the settings; until they are known the defaults hold. */
export async function loadSettings(): Promise<void> {
  const answer = await request('settings:get', {});
  settings.problems = answer.problems;
  take(answer);
}

/** Changes some of the settings. Rejects with a RequestError; then nothing has changed, and every field shows so. */
export async function changeSettings(change: Partial<Settings>): Promise<void> {
  try {
    take(await request('settings:change', { change }));
  } catch (error) {
    // Fields that are bound to it are set again.
    settings.current = { ...settings.current };
    throw error;
  }
}

function take(answer: Answer<'settings:get'>): void {
  settings.current = answer.settings;
  settings.systemLanguage = answer.systemLanguage;
  document.documentElement.lang = settings.language;
}
