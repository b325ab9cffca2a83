import type { RecentRun } from '../model/history-entry.ts';
import type { Passport } from '../model/passport.ts';
import type { Translate } from './i18n.ts';

/** "Docker Engine 28.1.1 → 28.2.0"; undefined without updates, or on another engine */
export function updatesSince(
  { machine, host: hostThen }: Pick<RecentRun, 'machine' | 'host'>,
  { runtime, host }: Passport,
  t: Translate,
): string | undefined {
  if (hostThen === undefined || machine.kind !== runtime.kind) return undefined;
  if (hostThen.platform !== host.platform) return undefined;
  const engine = t('report:effects.factor.engine');
  const system = t(`ui:platform.${host.platform}`);
  const updates: [from: string, to: string][] = [
    [machine.name, runtime.name],
    // An engine without a product has its version in its name.
    ...(runtime.name.endsWith(runtime.engineVersion)
      ? []
      : [versions(engine, machine.engineVersion, runtime.engineVersion)]),
    ...(runtime.vm ? [versions(t('ui:passport.kernel'), machine.kernel, runtime.kernel)] : []),
    versions(system, hostThen.release, host.release),
  ];
  const texts = updates.flatMap(([from, to]) => (from === to ? [] : [changeText(from, to)]));
  return texts.length === 0 ? undefined : texts.join(t('report:list.items'));
}

function versions(name: string, from: string | undefined, to: string): [string, string] {
  return [`${name} ${from ?? to}`, `${name} ${to}`];
}

function changeText(from: string, to: string): string {
  const name = (text: string): string => text.slice(0, text.lastIndexOf(' ') + 1);
  return `${from} → ${name(from) === name(to) ? to.slice(name(to).length) : to}`;
}
