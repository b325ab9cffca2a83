import type { Language } from '../model/settings.ts';
import type { Plan } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { givenText } from './labels.ts';

const translations = new WeakMap<Plan, Map<Language, Plan>>();
/** What each translated plan and run was made from, so that a new language starts from English. */
const sources = new WeakMap<Plan, Plan>();
const runSources = new WeakMap<RunState, RunState>();

export function planIn(plan: Plan, language: Language): Plan {
  const source = sources.get(plan) ?? plan;
  if (language === 'en') return source;
  const known = translations.get(source) ?? new Map<Language, Plan>();
  translations.set(source, known);
  const translated = known.get(language) ?? translatedPlan(source, language);
  known.set(language, translated);
  sources.set(translated, source);
  return translated;
}

export function runIn(run: RunState, language: Language): RunState {
  const source = runSources.get(run) ?? run;
  if (language === 'en') return source;
  const plan = planIn(source.plan, language);
  const translated = { ...source, plan };
  runSources.set(translated, source);
  return translated;
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

function translatedPlan(plan: Plan, language: Language): Plan {
  const said = (text: string): string => givenText(text, language);
  return {
    ...plan,
    preset: { ...plan.preset, name: said(plan.preset.name), question: said(plan.preset.question) },
  };
}
