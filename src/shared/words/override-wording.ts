import { CONFIDENCE } from '../analysis/speeds.ts';
import { PATHS } from '../kinds/paths.ts';
import { STORAGES } from '../kinds/storages.ts';
import { msg } from '../message.ts';
import {
  type DatabaseChange,
  type DatabaseOverride,
  type DatabaseOverrides,
  partsOf,
} from '../model/database.ts';
import { baseOf } from '../compose/file-names.ts';
import { checkOfChange } from '../compose/health-check.ts';
import { SERVER_CHANGES } from '../compose/database-preset.ts';
import { asSentence, effectText, intervalTextOf } from './effect-wording.ts';
import { messageText, type TextKey, type Translate } from './i18n.ts';
import { givenText, pathName } from './labels.ts';

const CHANGES: Record<'storage' | 'path' | 'server', Readonly<Record<string, TextKey>>> = {
  storage: {
    'named-volume': 'report:override.change.storage.named-volume',
    'bind-mount': 'report:override.change.storage.bind-mount',
    tmpfs: 'report:override.change.storage.tmpfs',
  },
  path: {
    'host-network': 'report:override.change.path.host-network',
    'user-bridge': 'report:override.change.path.user-bridge',
  },
  server: {
    'without-limits': 'report:override.change.server.without-limits',
    'relaxed-flush': 'report:override.change.server.relaxed-flush',
    'no-binary-log': 'report:override.change.server.no-binary-log',
    'no-durability': 'report:override.change.server.no-durability',
    'large-pool': 'report:override.change.server.large-pool',
    'newest-version': 'report:override.change.server.newest-version',
  },
};

export function changeText(change: DatabaseChange, t: Translate): string {
  const { factor, level } = change;
  if (factor === 'together') return t('report:override.change.together', { list: changeName(change, t) });
  if (factor === 'healthcheck') {
    const { startPeriodSeconds, retries } = checkOfChange(level);
    return t('report:override.change.healthcheck', { startPeriod: `${startPeriodSeconds}s`, retries });
  }
  const key = Object.hasOwn(CHANGES[factor], level) ? CHANGES[factor][level] : undefined;
  return key === undefined ? changeName(change, t) : t(key);
}

/** The measured choice without advice: "Named volume", "published port". */
export function changeName(change: DatabaseChange, t: Translate): string {
  const { factor, level } = change;
  switch (factor) {
    case 'together':
      return partsOf(change)
        .map((part) => changeName(part, t))
        .join(t('report:list.items'));
    case 'healthcheck':
      return t('report:override.healthcheck');
    case 'storage':
      return isKindOf(STORAGES, level) ? messageText(msg(`storage.${level}`), t) : level;
    case 'path':
      return isKindOf(PATHS, level) ? messageText(pathName(level), t) : level;
    case 'server':
      return isKindOf(SERVER_CHANGES, level) ? givenText(SERVER_CHANGES[level].name, t.language) : level;
  }
}

/** Undefined without inconclusive changes. */
export function openChangesText({ overrides, without }: DatabaseOverrides, t: Translate): string | undefined {
  const names = without.filter(isOpen).map(({ change }) => changeName(change, t));
  if (names.length === 0) return undefined;
  const about = { count: names.length, list: names.join(t('report:list.items')) };
  return t(overrides.length === 0 ? 'report:override.nothingYet' : 'report:override.open', about);
}

export function withoutTexts({ without }: DatabaseOverrides, t: Translate): string[] {
  return without
    .filter((one) => !isOpen(one))
    .map(({ change, reason }) =>
      t('report:list.named', { name: asSentence(changeName(change, t), t), value: messageText(reason, t) }),
    );
}

function isOpen({ reason }: DatabaseOverrides['without'][number]): boolean {
  return reason.code === 'override.refused.inconclusive';
}

function isKindOf<T extends object>(kinds: T, level: string): level is Extract<keyof T, string> {
  return Object.hasOwn(kinds, level);
}

/** No command runs after a failed one. */
export function commandsText(commands: readonly string[]): string {
  return commands.join(' &&\n');
}

/** "compose.yaml:12, :15" */
export function linesText(lines: DatabaseOverride['lines']): string {
  return lines
    .map(({ file, line }, index) =>
      file === lines[index - 1]?.file ? `:${line}` : `${baseOf(file)}:${line}`,
    )
    .join(', ');
}

function measuredText(gain: NonNullable<DatabaseOverride['gain']>, t: Translate): string {
  const ratio = { ...gain, confidence: CONFIDENCE };
  return t('report:override.measured', {
    effect: effectText(ratio, t),
    interval: intervalTextOf(ratio, t),
  });
}

export function overrideLines(override: DatabaseOverride, t: Translate): string[] {
  const { change, gain, lines, moves, notes } = override;
  const indented = (commands: readonly string[]): string[] =>
    commandsText(commands)
      .split('\n')
      .map((line) => `  ${line}`);
  return [
    changeText(change, t),
    ...(gain === null ? [] : [measuredText(gain, t)]),
    ...notes.map((note) => messageText(note, t)),
    ...(lines.length === 0 ? [] : [t('report:override.forGood', { places: linesText(lines) })]),
    '',
    t('report:override.there'),
    ...indented(moves.there),
    '',
    t('report:override.back'),
    ...indented(moves.back),
  ];
}
