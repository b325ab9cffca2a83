import type { Language } from '../model/settings.ts';
import { type Message, msg, type Said } from '../message.ts';
import type { DependsOn } from '../model/factors.ts';
import type { PathKind } from '../kinds/paths.ts';
import { isContainerStorage } from '../kinds/storages.ts';
import type { SaidParts, ScenarioLabel, ServerConfig } from '../model/plan.ts';
import type { StorageSpec } from '../model/server-spec.ts';
import { comparisonOf, NOTHING_SAID } from '../analysis/comparisons.ts';
import type { Analysis, ScenarioAnalysis } from '../analysis/analysis.ts';
import { asSentence } from './effect-wording.ts';
import { messageText, type Translate } from './i18n.ts';
import presets from '../locales/zh-CN/presets.json' with { type: 'json' };

/** "MySQL 8.4: named volume via published port, 8 connections (again)" */
export function labelText(label: ScenarioLabel, t: Translate, said: SaidParts = NOTHING_SAID): string {
  const ownPlace = label.ownName === null ? placeText(label, said, t) : givenText(label.ownName, t.language);
  const { engine: server } = label;
  const place = server === null ? ownPlace : t('report:list.named', { name: server, value: ownPlace });
  const name = [place, ...partTexts(label, t, said)].join(t('report:list.parts'));
  return label.isRepeat ? t('report:label.repeat', { name }) : name;
}

export function labelsText(labels: readonly ScenarioLabel[], t: Translate): string {
  return labels.map((label) => labelText(label, t)).join(', ');
}

export function rowName(
  { id, label }: Pick<ScenarioAnalysis, 'id' | 'label'>,
  analysis: Pick<Analysis, 'scenarios'>,
  t: Translate,
): string {
  return asSentence(labelText(label, t, comparisonOf(analysis, id)), t);
}

export function partsText(parts: SaidParts, t: Translate): string {
  const server = parts.server === null ? [] : [LEVEL_NAMES.server(parts, t)];
  return [...server, ...partTexts(parts, t, NOTHING_SAID)].join(t('report:list.parts'));
}

function partTexts(parts: SaidParts, t: Translate, said: SaidParts): string[] {
  return (['loadGenerator', 'connections'] as const).flatMap((part) =>
    parts[part] === null || said[part] !== null ? [] : [LEVEL_NAMES[part](parts, t)],
  );
}

function placeText(label: ScenarioLabel, said: SaidParts, t: Translate): string {
  const storage = LEVEL_NAMES.storage(label, t);
  const place =
    isContainerStorage(label.storage) && !label.omitsPath
      ? t('report:label.place', { storage, path: LEVEL_NAMES.path(label, t) })
      : storage;
  return label.server === null || said.server !== null
    ? place
    : t('report:list.named', { name: LEVEL_NAMES.server(label, t), value: place });
}

const LEVEL_NAMES = {
  engine: (label: ScenarioLabel, t: Translate) => label.engine ?? labelText(label, t),
  storage: ({ storage, storageName }: ScenarioLabel, t: Translate) =>
    storageName === null ? messageText(msg(`storage.${storage}`), t) : givenText(storageName, t.language),
  path: ({ path }: ScenarioLabel, t: Translate) => messageText(pathName(path), t),
  server: ({ server }: SaidParts, t: Translate) =>
    server === null ? t('report:finding.level.ownServer') : givenText(server, t.language),
  loadGenerator: ({ loadGenerator }: SaidParts, t: Translate) =>
    t(`ui:plan.loadGeneratorName.${loadGenerator ?? 'builtin'}`),
  connections: ({ connections }: SaidParts, t: Translate) =>
    t('report:provenance.connections', { count: connections ?? 0 }),
} satisfies Record<DependsOn, (label: ScenarioLabel, t: Translate) => string>;

export function levelName(label: ScenarioLabel, factor: DependsOn, t: Translate): string {
  return LEVEL_NAMES[factor](label, t);
}

/** "bridge network", without "(client in a container)" */
export function briefly(name: string): string {
  return name.replace(/\s*[(（].*[)）]$/, '');
}

export function storageName({ name, kind }: Pick<StorageSpec, 'name' | 'kind'>): Said {
  return name ?? msg(`storage.${kind}`);
}

export function pathName(path: PathKind): Message {
  return msg(`path.${path}`);
}

export function givenText(text: string, language: Language): string {
  return language === 'zh-CN' ? (ofBuiltIns.get(text) ?? text) : text;
}

const ofBuiltIns = new Map(Object.entries(presets));

/** Null without any name. */
export function configText(config: ServerConfig, t: Translate): string | null {
  const { engineName, serverName } = config;
  const parts = [engineName, serverName].flatMap((part) =>
    part === null ? [] : [givenText(part, t.language)],
  );
  return parts.length === 0 ? null : parts.join(t('report:list.parts'));
}
