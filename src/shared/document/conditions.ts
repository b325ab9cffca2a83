import type { Analysis } from '../analysis/analysis.ts';
import { seenPassports } from '../analysis/seen-passport.ts';
import { isContainerStorage } from '../kinds/storages.ts';
import { imagesOf, type ImageChoice, type Plan, type ServerConfig } from '../model/plan.ts';
import type { RunState, ServerState } from '../model/run-state.ts';
import { roundsBegun } from '../run/progress.ts';
import { NO_VALUE } from '../units.ts';
import { fileSystemText } from '../words/environment-wording.ts';
import { configFacts, type Fact, loadFacts, passportFacts, runFacts } from '../words/facts.ts';
import { messageText, type Translate } from '../words/i18n.ts';
import { configText, labelText } from '../words/labels.ts';
import {
  FLAVOR_NAMES,
  imageContents,
  imageText,
  machineText,
  methodText,
  serversText,
  softwareName,
  trialTimesText,
} from '../words/provenance.ts';
import { type Block, type Row, type Saying, type Section, tableOf } from './blocks.ts';

export function conditionSections(run: RunState, analysis: Analysis, { t, dateText }: Saying): Section[] {
  const { plan } = run;
  const section = (id: string, title: string, blocks: Block[], more: Partial<Section> = {}): Section => ({
    ...{ id, title, level: 'reproduce', ...more },
    blocks: blocks.map((block) => ({ isFull: true, ...block })),
  });
  const schedule: Fact[] = [
    ...runFacts('schedule', run, t),
    [t('ui:environment.started'), dateText(run.startedAt)],
    [t('ui:environment.finished'), run.finishedAt === null ? NO_VALUE : dateText(run.finishedAt)],
  ];
  const names = new Map(plan.scenarios.map(({ id, label }) => [id, labelText(label, t)]));
  const begun = plan.rounds.slice(0, roundsBegun(run));
  const order = begun.map((round) => round.map((id) => names.get(id) ?? id).join(' → '));
  return [
    section('preset', t('ui:reproduce.title'), [{ kind: 'slot', name: 'preset' }]),
    section('settings', t('ui:result.settings'), settingsBlocks(plan, t)),
    section(
      'load',
      t('ui:plan.load'),
      [{ kind: 'facts', items: [...loadFacts(plan, t), ...runFacts('load', run, t)] }],
      { figure: 'dataset' },
    ),
    section('variables', t('ui:environment.variables'), variableBlocks(run.servers, t), { isLong: true }),
    section('servers', t('ui:result.servers'), [serverTable(run.servers, t)], { isLong: true }),
    section(
      'schedule',
      t('ui:environment.schedule'),
      [
        { kind: 'lines', items: [trialTimesText(plan, t)] },
        { kind: 'facts', items: schedule },
        { kind: 'subheading', text: t('ui:environment.order') },
        { kind: 'order', items: order },
      ],
      { isLong: true },
    ),
    section('versions', t('ui:environment.versions'), [
      { kind: 'facts', items: runFacts('versions', run, t) },
      { kind: 'codes', summary: null, items: imagesOf(plan).map(imageLine) },
    ]),
    section('passport', t('ui:passport.title'), passportBlocks(run, t)),
    section('method', t('report:html.method'), [
      {
        kind: 'lines',
        isFull: false,
        items: [`${machineText(run, t)} · ${serversText(plan, t)}`, methodText(run, analysis, t)],
      },
      { kind: 'lines', items: [t('report:html.methodLead')] },
      { kind: 'codes', summary: null, items: imageContents(plan), isFull: false },
    ]),
  ];
}

export function settingsBlocks(plan: Plan, t: Translate): Block[] {
  return plan.configs.flatMap((config): Block[] => {
    const name = configText(config, t);
    return [
      ...(name === null ? [] : [{ kind: 'subheading' as const, text: name }]),
      { kind: 'lines', items: programTexts(config, plan, t) },
      { kind: 'facts', items: configFacts(config, plan, t) },
      {
        kind: 'codes',
        summary: null,
        items: [...(config.native === null ? [] : [config.native.binary]), ...config.options],
      },
    ];
  });
}

function programTexts({ id, image, native }: ServerConfig, plan: Plan, t: Translate): string[] {
  const isContainer = plan.scenarios.some(
    ({ configId, storage }) => configId === id && isContainerStorage(storage.kind),
  );
  const isKnown = image.version !== null && image.flavor !== null;
  return [
    ...(isContainer ? [isKnown ? imageText(image, t) : `${image.used} · ${t('ui:plan.imageNotYet')}`] : []),
    ...(isContainer && image.substituted && image.reason !== null
      ? [t('ui:plan.imageReason', { reason: messageText(image.reason, t) })]
      : []),
    ...(native === null ? [] : [t('ui:plan.native', { server: softwareName(native) })]),
  ];
}

function imageLine({ used, flavor, version, architecture, imageId, digest }: ImageChoice): string {
  const name = flavor === null ? null : FLAVOR_NAMES[flavor];
  return [used, name, version, architecture, digest ?? imageId].filter((part) => part !== null).join(' ');
}

/** Servers that agree in all variables share a column. */
function variableBlocks(servers: Record<string, ServerState>, t: Translate): Block[] {
  const columns = new Map<string, { ids: string[]; variables: Record<string, string> }>();
  for (const [id, { facts }] of Object.entries(servers)) {
    if (facts === null) continue;
    const key = JSON.stringify(Object.entries(facts.variables).sort(([a], [b]) => (a < b ? -1 : 1)));
    const known = columns.get(key) ?? { ids: [], variables: facts.variables };
    columns.set(key, { ...known, ids: [...known.ids, id] });
  }
  const all = [...columns.values()];
  const names = [...new Set(all.flatMap(({ variables }) => Object.keys(variables)))].sort();
  if (names.length === 0) return [{ kind: 'lines', items: [t('ui:environment.variablesNone')] }];
  const rows = names.map((name): Row => {
    const values = all.map(({ variables }) => variables[name] ?? NO_VALUE);
    const differs = new Set(values).size > 1 ? { badge: t('ui:environment.differs') } : {};
    return { cells: [{ text: name, ...differs }, ...values] };
  });
  return [
    { kind: 'lead', text: t('ui:environment.variablesLead') },
    {
      kind: 'table',
      name: t('ui:environment.variables'),
      columns: [
        { title: t('ui:environment.variable'), kind: 'name' },
        ...all.map(({ ids }) => ({ title: ids.join(t('report:list.items')), kind: 'code' as const })),
      ],
      groups: [{ heading: null, rows }],
    },
  ];
}

function serverTable(servers: Record<string, ServerState>, t: Translate): Block {
  const rows = Object.entries(servers).flatMap(([id, { facts }]) => {
    if (facts === null) return [];
    const { datadirFileSystem: mount, version, versionComment, options } = facts;
    return [
      [
        id,
        mount === null ? t('messages:sharing.kind.unknown') : fileSystemText(mount, t),
        `${version} ${versionComment}`,
        options.join(' ') || NO_VALUE,
      ],
    ];
  });
  const header = (
    ['report:effects.factor.server', 'ui:result.mount', 'ui:result.version', 'ui:home.options'] as const
  ).map((key) => t(key));
  return tableOf(t('ui:result.servers'), [header, ...rows], [1, 2, 3]);
}

function passportBlocks(run: RunState, t: Translate): Block[] {
  return seenPassports(run).flatMap((passport, index): Block[] => {
    const { name: engine, runtimeId } = run.plan.engines[index] ?? run.plan.engines[0];
    const { rootless, selinux } = passport.runtime;
    const traits = [
      ...(rootless ? [t('ui:passport.rootless')] : []),
      ...(selinux ? [t('ui:passport.selinux')] : []),
    ];
    const context: Fact[] = runtimeId.includes(':') ? [[t('report:html.context'), runtimeId]] : [];
    return [
      { kind: 'subheading', text: [engine, ...traits].join(' · ') },
      { kind: 'facts', items: [...passportFacts(passport, t), ...context] },
    ];
  });
}
