import { CONFIDENCE } from '../analysis/speeds.ts';
import { PATHS } from '../kinds/paths.ts';
import { STORAGES } from '../kinds/storages.ts';
import { msg } from '../message.ts';
import { type DatabaseChange, type DatabasePatch, type DatabasePatches, partsOf } from '../model/database.ts';
import { baseOf } from '../project/file-names.ts';
import { SERVER_CHANGES, DATABASE_WORDS } from '../project/database-preset.ts';
import { patchFileName, savedAs } from '../project/patch/moves.ts';
import { asSentence, effectText, intervalTextOf } from './effect-wording.ts';
import { messageText, type TextKey, type Translate } from './i18n.ts';
import { givenText, pathName } from './labels.ts';

const CHANGES: Record<Exclude<DatabaseChange['factor'], 'together'>, Readonly<Record<string, TextKey>>> = {
  storage: {
    'named-volume': 'report:databasePatch.change.storage.named-volume',
    'bind-mount': 'report:databasePatch.change.storage.bind-mount',
    tmpfs: 'report:databasePatch.change.storage.tmpfs',
  },
  path: {
    'host-network': 'report:databasePatch.change.path.host-network',
    'user-bridge': 'report:databasePatch.change.path.user-bridge',
  },
  server: {
    'without-limits': 'report:databasePatch.change.server.without-limits',
    'relaxed-flush': 'report:databasePatch.change.server.relaxed-flush',
    'no-binary-log': 'report:databasePatch.change.server.no-binary-log',
    'large-pool': 'report:databasePatch.change.server.large-pool',
    'newest-version': 'report:databasePatch.change.server.newest-version',
  },
};

/** A sentence that says what to change; only for what was measured as faster. */
export function changeText(change: DatabaseChange, t: Translate): string {
  const { factor, level } = change;
  if (factor === 'together')
    return t('report:databasePatch.change.together', { list: changeName(change, t) });
  const key = Object.hasOwn(CHANGES[factor], level) ? CHANGES[factor][level] : undefined;
  return key === undefined ? changeName(change, t) : t(key);
}

/** "Named volume", "published port": what was measured, without advising it. */
export function changeName(change: DatabaseChange, t: Translate): string {
  const { factor, level } = change;
  switch (factor) {
    case 'together':
      return partsOf(change)
        .map((part) => changeName(part, t))
        .join(t('report:list.items'));
    case 'storage':
      return isKindOf(STORAGES, level) ? messageText(msg(`storage.${level}`), t) : level;
    case 'path':
      return isKindOf(PATHS, level) ? messageText(pathName(level), t) : level;
    case 'server':
      return isKindOf(SERVER_CHANGES, level) ? givenText(DATABASE_WORDS[level], t.language) : level;
  }
}

/** What is inconclusive, in one sentence; undefined if nothing is. */
export function openChangesText({ patches, without }: DatabasePatches, t: Translate): string | undefined {
  const names = without.filter(isOpen).map(({ change }) => changeName(change, t));
  if (names.length === 0) return undefined;
  const about = { count: names.length, list: names.join(t('report:list.items')) };
  return t(patches.length === 0 ? 'report:databasePatch.nothingYet' : 'report:databasePatch.open', about);
}

export function withoutTexts({ without }: DatabasePatches, t: Translate): string[] {
  return without
    .filter((one) => !isOpen(one))
    .map(({ change, reason }) =>
      t('report:list.named', { name: asSentence(changeName(change, t), t), value: messageText(reason, t) }),
    );
}

function isOpen({ reason }: DatabasePatches['without'][number]): boolean {
  return reason.code === 'databasePatch.refused.inconclusive';
}

function isKindOf<T extends object>(kinds: T, level: string): level is Extract<keyof T, string> {
  return Object.hasOwn(kinds, level);
}

/** So that none runs after one that failed. */
export function commandsText(commands: readonly string[]): string {
  return commands.join(' &&\n');
}

/**
 * The file to save: the diff, after what the change gains, costs, and takes. `git apply` skips lines before the
 * first `---`, and none of these can be taken for the diff. `path`: absolute; without it in the folder of the
 * Compose file.
 */
export function patchText(patch: DatabasePatch, t: Translate, path?: string): string {
  const { change, gain, file, diff, notes } = patch;
  const moves = path === undefined ? patch.moves : savedAs(patch, path);
  const ratio = { ...gain, confidence: CONFIDENCE };
  const lines = [
    changeText(change, t),
    t('report:databasePatch.measured', {
      effect: effectText(ratio, t),
      interval: intervalTextOf(ratio, t),
    }),
    ...notes.map((note) => messageText(note, t)),
    t('report:databasePatch.apply', { file: baseOf(file), patch: path ?? patchFileName(change) }),
    '',
    t('report:databasePatch.there'),
    ...commandsText(moves.there)
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    t('report:databasePatch.back'),
    ...commandsText(moves.back)
      .split('\n')
      .map((line) => `  ${line}`),
  ];
  return [...lines.map((line) => `# ${line}`.trimEnd()), diff].join('\n');
}
