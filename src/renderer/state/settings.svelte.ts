import { chosenLanguage } from '../../shared/words/i18n.ts';
import {
  DEFAULT_SETTINGS,
  type Language,
  type Settings,
  type SettingsProblem,
} from '../../shared/model/settings.ts';
import { request } from '../api.ts';
import type { Answer } from '../../shared/contract/ipc.ts';

/** The user's settings, as main keeps them. */
class SettingsState {
  current = $state.raw<Settings>(DEFAULT_SETTINGS);
  systemLanguage = $state('en');
  /** Problems of the settings file, until dismissed. */
  problems = $state.raw<SettingsProblem[]>([]);
  readonly language: Language = $derived(chosenLanguage(this.current.language, this.systemLanguage));
}

export const settings = new SettingsState();

/** Until they are loaded the defaults apply. */
export async function loadSettings(): Promise<void> {
  const answer = await request('settings:get', {});
  settings.problems = answer.problems;
  take(answer);
}

/** Rejects with a RequestError; then nothing has changed, and bound fields are reset. */
export async function changeSettings(change: Partial<Settings>): Promise<void> {
  try {
    take(await request('settings:change', { change }));
  } catch (error) {
    // Resets bound fields.
    settings.current = { ...settings.current };
    throw error;
  }
}

function take(answer: Answer<'settings:get'>): void {
  settings.current = answer.settings;
  settings.systemLanguage = answer.systemLanguage;
  document.documentElement.lang = settings.language;
}
