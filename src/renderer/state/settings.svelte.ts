import { chosenLanguage } from '../../shared/words/i18n.ts';
import {
  DEFAULT_SETTINGS,
  type Language,
  type Settings,
  type SettingsProblem,
} from '../../shared/model/settings.ts';
import { request } from '../api.ts';
import type { Answer } from '../../shared/contract/ipc.ts';

class SettingsState {
  current = $state.raw<Settings>(DEFAULT_SETTINGS);
  systemLanguage = $state('en');
  problems = $state.raw<SettingsProblem[]>([]);
  readonly language: Language = $derived(chosenLanguage(this.current.language, this.systemLanguage));
}

export const settings = new SettingsState();

export async function loadSettings(): Promise<void> {
  const answer = await request('settings:get', {});
  settings.problems = answer.problems;
  take(answer);
}

/** Rejects with a RequestError, and resets bound fields. */
export async function changeSettings(change: Partial<Settings>): Promise<void> {
  try {
    take(await request('settings:change', { change }));
  } catch (error) {
    settings.current = { ...settings.current };
    throw error;
  }
}

function take(answer: Answer<'settings:get'>): void {
  settings.current = answer.settings;
  settings.systemLanguage = answer.systemLanguage;
  document.documentElement.lang = settings.language;
}
