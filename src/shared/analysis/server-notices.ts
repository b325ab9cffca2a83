import { kindsOf } from '../kinds/kind.ts';
import { listOf, msg } from '../message.ts';
import type { Notice } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { SETTING_NAMES, settingsReadBack } from '../model/server-settings.ts';
import { sameValue } from '../options/option.ts';

export function serverNotices(state: RunState): Notice[] {
  return [...settingsNotices(state), ...valueNotices(state)];
}

function settingsNotices({ plan, servers }: RunState): Notice[] {
  const differing = plan.configs.flatMap((config) => {
    const ids = new Set(
      plan.scenarios.flatMap(({ configId, serverId }) => (configId === config.id ? [serverId] : [])),
    );
    const known = [...ids].flatMap((id) => {
      const variables = servers[id]?.facts?.variables;
      return variables === undefined
        ? []
        : [settingsReadBack({ ...config.settings, defaults: [...SETTING_NAMES] }, variables)];
    });
    const [first, ...others] = known;
    if (first === undefined) return [];
    return kindsOf(first).filter(
      (name) => name !== 'defaults' && others.some((other) => other[name] !== first[name]),
    );
  });
  if (differing.length === 0) return [];
  const settings = listOf([...new Set(differing)], 'list.words');
  return [{ code: 'SETTINGS_DIFFER', message: msg('notice.settingsDiffer', { settings }) }];
}

/** The measured server should have these values of the user's server. */
function valueNotices({ plan, servers }: RunState): Notice[] {
  const own = plan.scenarios.find(({ id }) => id === plan.baselineId);
  const measured = servers[own?.serverId ?? '']?.facts?.variables;
  if (plan.database === null || measured === undefined) return [];
  const differing = Object.entries(plan.database.inEffect ?? {}).flatMap(([name, theirs]) => {
    const value = measured[name];
    if (value === undefined || isUnused(name, measured)) return [];
    const isSame = name === 'version' ? value.startsWith(theirs) : sameValue(value, theirs);
    return isSame ? [] : [msg('notice.valueDiffers', { name, theirs, measured: value })];
  });
  if (differing.length === 0) return [];
  return [
    { code: 'VALUES_DIFFER', message: msg('notice.valuesDiffer', { list: listOf(differing, 'list.words') }) },
  ];
}

/** Settings of an empty binary log, or of a redo log with a set size, have no effect. */
function isUnused(name: string, { log_bin: binlog, ...measured }: Readonly<Record<string, string>>): boolean {
  if (name === 'sync_binlog') return binlog === 'OFF';
  return name.startsWith('innodb_log_file') && measured['innodb_redo_log_capacity'] !== undefined;
}
