import { msg } from '../../shared/message.ts';
import { grouped } from '../../shared/analysis/grouped.ts';
import { keyWithout } from '../../shared/model/factors.ts';
import { contextName, ENGINE_CONSENT, type Plan, type PlanEngine } from '../../shared/model/plan.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';

export type EnginePart = { engine: PlanEngine } & Pick<
  Plan,
  'scenarios' | 'configs' | 'excluded' | 'baselineId' | 'toPrepare' | 'clientImage' | 'consents'
>;

/** `namedByOthers`: a file names the engines. */
export function joinedParts(
  parts: readonly EnginePart[],
  namedByOthers = false,
): Omit<EnginePart, 'engine' | 'baselineId'> {
  const own = parts.length === 1 ? parts : parts.map((part, index) => labeled(part, index === 0));
  return {
    scenarios: byPlace(own),
    configs: own.flatMap(({ configs }) => configs),
    excluded: own.flatMap(({ excluded }) => excluded),
    toPrepare: firstOfEach(
      own,
      ({ toPrepare }) => toPrepare,
      ({ reference }) => reference,
    ),
    consents: firstOfEach(
      own,
      (part) => [...part.consents, ...engineConsents(part, namedByOthers)],
      ({ consent }) => consent,
    ),
    clientImage: own.find(({ clientImage }) => clientImage !== null)?.clientImage ?? null,
  };
}

function engineConsents({ engine }: EnginePart, namedByOthers: boolean): Plan['consents'] {
  const { runtimeId, passport } = engine;
  const { remote } = passport.runtime;
  return remote || namedByOthers
    ? [engineConsent(runtimeId, remote ? 'consent.engineElsewhere' : 'consent.engineNamed')]
    : [];
}

export function engineConsent(
  runtimeId: string,
  code: 'consent.engineElsewhere' | 'consent.engineNamed',
): Plan['consents'][number] {
  const name = runtimeId.replace(/^(?:context|env):/, '');
  return { consent: `${ENGINE_CONSENT}${name}`, message: msg(code, { name }) };
}

type Named = Pick<ContainerRuntime, 'id' | 'passport'>;

export function planEngines([first, ...others]: readonly [Named, ...Named[]]): Plan['engines'] {
  const counts = new Map<string, number>();
  const numbered = (text: string, number: (count: number) => string): string => {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return count === 1 ? text : number(count);
  };
  const engine = ({ id: runtimeId, passport }: Named): PlanEngine => {
    const { kind, name } = passport.runtime;
    const [, variable] = /^env:(.+)$/.exec(runtimeId) ?? [];
    const context = contextName(runtimeId) ?? variable;
    const fullName = others.length === 0 || context === undefined ? name : `${name} (${context})`;
    return {
      id: numbered(kind, (count) => `${kind}-${count}`),
      name: numbered(fullName, (count) => `${fullName} (${count})`),
      runtimeId,
      passport,
    };
  };
  return [engine(first), ...others.map(engine)];
}

function labeled(part: EnginePart, isFirst: boolean): EnginePart {
  const { id: engine, name } = part.engine;
  const idOf = (id: string): string => (isFirst ? id : `${engine}.${id}`);
  const onEngine = <T extends Pick<Plan['excluded'][number], 'id' | 'label'>>(one: T): T => {
    return { ...one, id: idOf(one.id), label: { ...one.label, engine: name } };
  };
  return {
    ...part,
    scenarios: part.scenarios
      .filter(({ isAaRepeat }) => isFirst || !isAaRepeat)
      .map((one) => ({
        ...onEngine(one),
        configId: idOf(one.configId),
        serverId: idOf(one.serverId),
        isBaseline: isFirst && one.isBaseline,
      })),
    configs: part.configs.map((one) => ({ ...one, id: idOf(one.id), engineName: name })),
    excluded: part.excluded.map((one) => onEngine(one)),
  };
}

function byPlace(parts: readonly EnginePart[]): Plan['scenarios'] {
  const places = grouped(
    parts.flatMap(({ scenarios }) => scenarios),
    (one) => [keyWithout(one, 'engine')],
  );
  return [...places.values()].flat();
}

function firstOfEach<T>(
  parts: readonly EnginePart[],
  listOf: (part: EnginePart) => readonly T[],
  keyOf: (one: T) => string,
): T[] {
  const byKey = new Map<string, T>();
  for (const one of parts.flatMap(listOf)) if (!byKey.has(keyOf(one))) byKey.set(keyOf(one), one);
  return [...byKey.values()];
}
