import { msg } from '../../shared/message.ts';
import { contextName, ENGINE_CONSENT, type Plan } from '../../shared/model/plan.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { labelText } from '../../shared/words/labels.ts';

export type EnginePart = Pick<
  Plan,
  | 'runtimeId'
  | 'passport'
  | 'scenarios'
  | 'configs'
  | 'excluded'
  | 'baselineId'
  | 'toPrepare'
  | 'clientImage'
  | 'consents'
>;

type Joined = Omit<EnginePart, 'runtimeId' | 'passport' | 'baselineId'> & Pick<Plan, 'engines'>;

/** `namedByOthers`: a file names the engines, not the user. */
export function joinedParts(parts: readonly EnginePart[], namedByOthers = false): Joined {
  const engines = parts.length === 1 ? [] : named(parts);
  const own = parts.map((part, index) => {
    const engine = engines[index];
    return engine === undefined ? part : partOn(part, engine, index === 0);
  });
  return {
    engines,
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

function engineConsents({ runtimeId, passport }: EnginePart, namedByOthers: boolean): Plan['consents'] {
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

/** By what they are, and their context. */
function named(parts: readonly EnginePart[]): Plan['engines'] {
  const counts = new Map<string, number>();
  const numbered = (text: string, number: (count: number) => string): string => {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return count === 1 ? text : number(count);
  };
  return parts.map(({ runtimeId, passport }) => {
    const { kind } = passport.runtime;
    const context = contextName(runtimeId);
    const name = `${passport.runtime.name}${context === undefined ? '' : ` (${context})`}`;
    return {
      id: numbered(kind, (count) => `${kind}-${count}`),
      name: numbered(name, (count) => `${name} (${count})`),
      runtimeId,
      passport,
    };
  });
}

function partOn(
  part: EnginePart,
  { id: engine, name }: Plan['engines'][number],
  isFirst: boolean,
): EnginePart {
  const idOf = (id: string): string => (isFirst ? id : `${engine}.${id}`);
  const onEngine = <T extends Pick<Plan['excluded'][number], 'id' | 'name' | 'label' | 'engine'>>(
    one: T,
  ): T => {
    const label = { ...one.label, engine: name };
    return { ...one, id: idOf(one.id), label, name: labelText(label, ENGLISH), engine };
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
    configs: part.configs.map((one) => ({ ...one, id: idOf(one.id), engine, engineName: name })),
    excluded: part.excluded.map((one) => onEngine(one)),
  };
}

function byPlace(parts: readonly EnginePart[]): Plan['scenarios'] {
  const placeOf = ({ baseId, server, connections, isAaRepeat }: Plan['scenarios'][number]): string =>
    JSON.stringify([baseId, server, connections, isAaRepeat]);
  const places = new Map<string, Plan['scenarios']>();
  for (const one of parts.flatMap(({ scenarios }) => scenarios)) {
    places.set(placeOf(one), [...(places.get(placeOf(one)) ?? []), one]);
  }
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
