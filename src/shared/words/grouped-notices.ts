import type { Message } from '../message.ts';
import type { Notice } from '../model/plan.ts';
import { messageText, type Translate } from './i18n.ts';

interface GroupedNotice {
  message: string;
  scenarioIds: string[];
  isFact: boolean;
}

/** Facts need no decision and change no verdict. */
const FACTS =
  /^((CLIENT_)?IMAGE_SUBSTITUTED|NATIVE_MISSING|BASELINE_REPLACED|PORT_OPEN|RUN_(UPDATED|CONTINUED)|TRIALS_SKIPPED|NOT_SIDE_BY_SIDE|ROUNDS_.*|SLICE_LOST|FACTS_UNREADABLE)$/;

function weightOf({ code }: Notice): number {
  return code === 'TRIALS_FAILED' ? 2 : Number(!FACTS.test(code));
}

/** Lost trials come first, facts last. Notices that differ only in figures become one. */
export function groupedNotices(notices: readonly Notice[], t: Translate): GroupedNotice[] {
  const groups = new Map<string, { messages: Message[]; scenarioIds: Set<string>; isFact: boolean }>();
  for (const notice of [...notices].sort((a, b) => weightOf(b) - weightOf(a))) {
    const { code, message, scenarioId } = notice;
    const sameAs = scenarioId === undefined ? messageText(message, t) : kindOf(message);
    const key = JSON.stringify([code, sameAs, scenarioId === undefined]);
    const group = groups.get(key) ?? { messages: [], scenarioIds: new Set(), isFact: weightOf(notice) === 0 };
    group.messages.push(message);
    if (scenarioId !== undefined) group.scenarioIds.add(scenarioId);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ messages, scenarioIds, isFact }) => ({
    message: messageText(rangeOf(messages), t),
    scenarioIds: [...scenarioIds],
    isFact,
  }));
}

/** One or two names, or "7 of 9 scenarios". */
export function aboutScenarios(names: readonly string[], all: number, t: Translate): string {
  return names.length <= 2
    ? names.join(t('report:list.clauses'))
    : t('report:text.scenariosOf', { some: names.length, all });
}

/** "62", "1,234", "1.2 ms" */
const FIGURE = /^([\d.,]+)( ?(?:µs|ms|s))?$/;
const UNITS: Readonly<Record<string, number>> = { µs: 1e-6, ms: 1e-3 };

type Value = Message['params'][string];

function isFigure(name: string, value: Value): boolean {
  // `count` chooses the plural form.
  return name !== 'count' && typeof value !== 'object' && FIGURE.test(String(value));
}

function kindOf({ code, params, text }: Message): unknown {
  const said = Object.entries(params).map(([name, value]) => [
    name,
    isFigure(name, value) ? null : typeof value === 'object' ? kindOf(value) : value,
  ]);
  return said.length === 0 ? [code, text] : [code, said];
}

function rangeOf(messages: readonly Message[]): Message {
  const [first, ...others] = messages;
  if (first === undefined) throw new Error('a group without a message');
  if (others.every(({ text }) => text === first.text)) return first;
  const params = Object.entries(first.params).map(([name, value]): [string, Value] => {
    const all = messages.flatMap((one) => one.params[name] ?? []);
    if (isFigure(name, value)) return [name, figureRange(all.map(String))];
    return typeof value === 'object'
      ? [name, rangeOf(all.filter((one): one is Message => typeof one === 'object'))]
      : [name, value];
  });
  return { ...first, params: Object.fromEntries(params) };
}

function figureRange(figures: readonly string[]): string {
  const sizeOf = (figure: string): number => {
    const [, number = '', unit = ''] = FIGURE.exec(figure) ?? [];
    return Number(number.replaceAll(',', '')) * (UNITS[unit.trim()] ?? 1);
  };
  const sorted = [...new Set(figures)].sort((a, b) => sizeOf(a) - sizeOf(b));
  const [least = '', most = ''] = [sorted[0], sorted.at(-1)];
  if (least === most) return least;
  const unit = FIGURE.exec(most)?.[2] ?? '';
  return `${unit !== '' && least.endsWith(unit) ? least.slice(0, -unit.length) : least}–${most}`;
}
