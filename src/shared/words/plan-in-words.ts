import type { Language } from '../model/language.ts';
import type { Notice, Plan } from '../model/plan.ts';
import type { RunOutline } from '../model/run-state.ts';
import { spoken } from './spoken.ts';

/** Plans and runs in a language: names, remarks and reasons that the core gave in English. */

const made = new WeakMap<Plan, Map<Language, Plan>>();
/** What each translated plan and run was made of: when the language changes they are said anew. */
const sources = new WeakMap<Plan, Plan>();
const runSources = new WeakMap<object, object>();

/** The plan in a language, the same object each time. What a user wrote stays as it is. */
export function planIn(plan: Plan, language: Language): Plan {
  const source = sources.get(plan) ?? plan;
  if (language === 'en') return source;
  const known = made.get(source) ?? new Map<Language, Plan>();
  made.set(source, known);
  const translated = known.get(language) ?? translatedPlan(source, language);
  known.set(language, translated);
  sources.set(translated, source);
  return translated;
}

/** A run with its plan and its remarks in a language. */
export function runIn<R extends RunOutline>(run: R, language: Language): R {
  // Only what this very function made of an R stands there.
  const source = (runSources.get(run) as R | undefined) ?? run;
  if (language === 'en') return source;
  const plan = planIn(source.plan, language);
  const translated = { ...source, plan, notices: noticesIn(source.notices, language) };
  runSources.set(translated, source);
  return translated;
}

/** A preset in a list: built-in ones are translated, the user's own stay as written. */
export function presetIn<T extends { name: string; question: string; builtIn: boolean }>(
  preset: T,
  language: Language,
): T {
  const { name, question, builtIn } = preset;
  return builtIn ? { ...preset, name: spoken(name, language), question: spoken(question, language) } : preset;
}

function translatedPlan(plan: Plan, language: Language): Plan {
  const said = (text: string): string => spoken(text, language);
  const named = <T extends { name: string }>(one: T): T => ({
    ...one,
    name: scenarioNameIn(one.name, language),
  });
  return {
    ...plan,
    preset: { ...plan.preset, name: said(plan.preset.name), question: said(plan.preset.question) },
    setups: plan.setups.map((setup) => ({
      ...setup,
      name: setup.name === null ? null : setup.name.split(SEPARATOR).map(said).join(SEPARATOR),
    })),
    scenarios: plan.scenarios.map(named),
    excluded: plan.excluded.map((one) => ({ ...named(one), reason: said(one.reason) })),
    consents: plan.consents.map((one) => ({ ...one, message: said(one.message) })),
    notices: noticesIn(plan.notices, language),
  };
}

function noticesIn(notices: Notice[], language: Language): Notice[] {
  return notices.map((notice) => ({ ...notice, message: spoken(notice.message, language) }));
}

/** Between a scenario's place, its driver, its regime and its level, in every language: names are taken apart at it. */
const SEPARATOR = ', ';
/** Behind the name of the second measurement of a baseline. */
const AGAIN = ' (again)';
const AGAINS: Partial<Record<Language, string>> = { 'zh-CN': ' (再测)' };
/** "MySQL 8.4: named volume × published port" */
const PLACE = /^(?:(.+?): )?(.+) × (.+)$/;
const OTHER_NODES: Partial<Record<Language, string>> = { 'zh-CN': '（来自另一个节点）' };
const OTHER_NODE = ' from another node';

/**
 * A scenario's name, part by part: "named volume × published port, In memory, 8 connections (again)". Parts that the
 * core did not make stay as they are.
 */
export function scenarioNameIn(name: string, language: Language): string {
  if (language === 'en') return name;
  const isAgain = name.endsWith(AGAIN);
  const own = isAgain ? name.slice(0, -AGAIN.length) : name;
  const again = isAgain ? (AGAINS[language] ?? AGAIN) : '';
  const whole = spoken(own, language);
  if (whole !== own) return whole + again;
  const [place = '', ...rest] = own.split(SEPARATOR);
  return [placeIn(place, language), ...rest.map((part) => spoken(part, language))].join(SEPARATOR) + again;
}

function placeIn(place: string, language: Language): string {
  const isElsewhere = place.endsWith(OTHER_NODE);
  const [, server, storage, path] =
    PLACE.exec(isElsewhere ? place.slice(0, -OTHER_NODE.length) : place) ?? [];
  if (storage === undefined || path === undefined) return spoken(place, language);
  return [
    server === undefined ? '' : `${spoken(server, language)}: `,
    `${spoken(storage, language)} × ${spoken(path, language)}`,
    isElsewhere ? (OTHER_NODES[language] ?? OTHER_NODE) : '',
  ].join('');
}
