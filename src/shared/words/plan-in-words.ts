import type { Language } from '../model/settings.ts';
import type { Plan } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { givenText } from './labels.ts';

const chinese = new WeakMap<Plan, Plan>();

/** The same input returns the same object. */
export function planIn(plan: Plan, language: Language): Plan {
  if (language === 'en') return plan;
  const { preset } = plan;
  const texts = { name: givenText(preset.name, language), question: givenText(preset.question, language) };
  const translated = chinese.get(plan) ?? { ...plan, preset: { ...preset, ...texts } };
  chinese.set(plan, translated);
  return translated;
}

export function runIn(run: RunState, language: Language): RunState {
  return language === 'en' ? run : { ...run, plan: planIn(run.plan, language) };
}

export function presetIn<T extends { name: string; question: string; builtIn: boolean }>(
  preset: T,
  language: Language,
): T {
  const { name, question, builtIn } = preset;
  return builtIn
    ? { ...preset, name: givenText(name, language), question: givenText(question, language) }
    : preset;
}
