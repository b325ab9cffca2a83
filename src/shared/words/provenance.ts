import type { Translate } from './i18n.ts';
import type { Analysis } from '../analysis/analysis.ts';
import type { Passport } from '../model/passport.ts';
import { imagesOf, levelsOf, type ImageChoice, type Plan, type ServerConfig } from '../model/plan.ts';
import type { PlanReference } from '../model/reference.ts';
import type { RunState } from '../model/run-state.ts';
import { hasData, type Task } from '../model/task.ts';
import { isTpcc, type Workload } from '../model/workload.ts';
import { formatAbout, formatBytes, formatCount, formatDuration } from '../units.ts';
import { hasOpenPasses, measuresAtMostMs, passesOf } from '../run/planned-time.ts';
import { percentText } from './effect-wording.ts';

export const FLAVOR_NAMES = { mysql: 'MySQL', percona: 'Percona Server', mariadb: 'MariaDB' } as const;

export function serverName(image: ImageChoice): string {
  if (image.flavor === null) return image.used;
  return `${FLAVOR_NAMES[image.flavor]}${image.version === null ? '' : ` ${image.version}`}`;
}

/** "MySQL 8.4.5 (mysql:8.4)" */
export function imageText(image: ImageChoice, t: Translate): string {
  const server = serverName(image);
  return image.substituted
    ? t('report:provenance.substituted', { server, image: image.used, requested: image.requested })
    : t('report:list.aside', { text: server, aside: image.used });
}

export function serversText(plan: Pick<Plan, 'configs' | 'scenarios'>, t: Translate): string {
  const images = imagesOf(plan).map((image) => imageText(image, t));
  const others = plan.configs.flatMap(({ native }) =>
    native === null ? [] : [t('report:provenance.nativeServer', { server: softwareName(native) })],
  );
  return [...new Set([...images, ...others])].join(' · ');
}

/** "mysql:8.4@sha256:…", or by content id "mysql:8.4, sha256:…" */
export function imageContents(plan: Pick<Plan, 'configs' | 'scenarios'>): string[] {
  const contents = imagesOf(plan).flatMap(({ used, digest, imageId }) => {
    if (digest !== null) return [used.includes('@') ? used : `${used}@${digest}`];
    return imageId === null ? [] : [`${used}, ${imageId}`];
  });
  return [...new Set(contents)];
}

export function serverNames(plan: Pick<Plan, 'configs' | 'scenarios'>): string[] {
  const images = imagesOf(plan).map((image) => `${serverName(image)} (${image.used})`);
  const others = plan.configs.flatMap(({ native }) => (native === null ? [] : [softwareName(native)]));
  return [...new Set([...images, ...others])];
}

export function softwareName({ flavor, version }: NonNullable<ServerConfig['native']>): string {
  return `${FLAVOR_NAMES[flavor]} ${version}`;
}

export function dataText(workload: Workload, t: Translate): string {
  return isTpcc(workload)
    ? t('report:provenance.warehouses', { count: workload.warehouses })
    : t('report:provenance.tables', {
        tables: formatCount(workload.tables, t.language),
        rows: formatCount(workload.tableSize, t.language),
      });
}

type Machine = Pick<Passport['runtime'], 'name' | 'vm' | 'rootless' | 'cpus' | 'memoryBytes'>;

/** "Docker Engine 28.1.1 · engine without a VM · 8 CPUs · 16 GiB" */
export function machineText({ plan }: RunState, t: Translate): string {
  return plan.engines.map(({ passport, name }) => machineLine({ ...passport.runtime, name }, t)).join(' + ');
}

export function machineLine(runtime: Machine, t: Translate): string {
  return [
    runtime.name,
    t(runtime.vm ? 'ui:passport.vm' : 'report:provenance.native'),
    ...(runtime.rootless ? [t('ui:passport.rootless')] : []),
    t('report:provenance.cpus', { count: runtime.cpus }),
    formatBytes(runtime.memoryBytes, t.language),
  ].join(' · ');
}

export function taskText(task: Task, t: Translate): string {
  switch (task.kind) {
    case 'migrations':
      return t('report:task.migrations', { count: task.count });
    case 'dump':
      return t('report:task.dump', { size: formatBytes(task.bytes, t.language) });
    case 'command': {
      const duration = formatDuration(task.limitSeconds * 1000, t.language);
      const { image } = task;
      return image === undefined
        ? t('report:task.command', { duration })
        : t('report:task.commandIn', { duration, image });
    }
    default:
      return t(`report:task.${task.kind}`);
  }
}

export function trialTimesText(plan: Pick<Plan, 'schedule' | 'groups' | 'task'>, t: Translate): string {
  const { schedule, groups, task } = plan;
  if (task !== null) return t('ui:plan.taskNote');
  const time = (seconds: number): string => formatDuration(seconds * 1000, t.language);
  const duration = time(schedule.durationSeconds);
  if (schedule.sliceSeconds === undefined) {
    return t('ui:plan.roundsNote', { warmup: time(schedule.warmupSeconds), duration });
  }
  const slice = time(schedule.sliceSeconds);
  const turns = hasOpenPasses(plan)
    ? t('ui:plan.slicesUntilNote', { slice })
    : t('ui:plan.slicesNote', { duration, slice });
  return groups.length > 1 ? turns + t('ui:plan.groupsNote', { count: groups.length }) : turns;
}

/** The limit of a run until conclusive, otherwise the estimate. */
export function lengthText(plan: Plan, t: Translate): string {
  const limit = measuresAtMostMs(plan);
  return limit === undefined
    ? t('ui:plan.about', { time: formatAbout(plan.estimate.seconds * 1000, t.language) })
    : t('ui:plan.upTo', { time: formatAbout(limit, t.language) });
}

/** Each group has its own passes. */
function passCount(trials: RunState['trials'], { groups }: Plan): number {
  const passes = trials.flatMap(({ round, slices }) => slices.map(({ pass }) => `${round} ${pass}`));
  return Math.ceil(new Set(passes).size / Math.max(1, groups.length));
}

/** "5 interleaved rounds × 5 s, 8 connections, …" */
export function methodText({ plan, trials }: RunState, analysis: Analysis, t: Translate): string {
  const { rounds: planned, durationSeconds, sliceSeconds } = plan.schedule;
  const measured = trials.filter(({ totals }) => totals !== null);
  const done = new Set(measured.map(({ round }) => round)).size;
  const rounds =
    done < planned
      ? t('report:provenance.roundsPartly', { done, count: planned })
      : t('report:provenance.interleaved', { count: planned });
  const statistics = t('report:provenance.statistics', { confidence: percentText(analysis.confidence, t) });
  if (plan.task !== null) {
    const data = hasData(plan.task) ? [dataText(plan.workload, t)] : [];
    return [taskText(plan.task, t), rounds, ...data, statistics].join(t('report:list.parts'));
  }
  return [
    sliceSeconds === undefined
      ? t('report:provenance.roundsTimes', {
          rounds,
          duration: formatDuration(durationSeconds * 1000, t.language),
        })
      : hasOpenPasses(plan)
        ? t('report:provenance.passesInRounds', {
            passes: t('messages:passes', { count: passCount(measured, plan) }),
            rounds: t('messages:rounds', { count: done }),
            slice: formatDuration(sliceSeconds * 1000, t.language),
          })
        : t('report:provenance.roundsPasses', {
            rounds,
            passes: t('messages:passes', { count: passesOf(plan) }),
            slice: formatDuration(sliceSeconds * 1000, t.language),
          }),
    connectionsText(plan, t),
    kindText(plan.workload, t),
    dataText(plan.workload, t),
    ...distributionText(plan.workload, t),
    ...loadGeneratorText(plan, t),
    statistics,
  ].join(t('report:list.parts'));
}

function connectionsText(
  { scenarios, connections }: Pick<Plan, 'scenarios' | 'connections'>,
  t: Translate,
): string {
  const levels = levelsOf(scenarios);
  return levels.length > 1
    ? t('report:provenance.sweep', {
        levels: levels.map((one) => formatCount(one, t.language)).join(t('report:list.items')),
      })
    : t('report:provenance.connections', { count: connections });
}

function kindText(workload: Workload, t: Translate): string {
  const { kind } = workload;
  return isTpcc(workload) ? t('report:provenance.tpcc', { kind }) : kind;
}

/** An unusual distribution decides how much of the data is used. */
function distributionText(workload: Workload, t: Translate): string[] {
  if (isTpcc(workload) || workload.distribution === 'uniform') return [];
  return [t('report:provenance.distribution', { distribution: workload.distribution })];
}

function loadGeneratorText({ scenarios }: Pick<Plan, 'scenarios'>, t: Translate): string[] {
  const [only, ...others] = new Set(scenarios.map(({ loadGenerator }) => loadGenerator));
  return only === undefined || only === 'builtin' || others.length > 0
    ? []
    : [t('report:provenance.loadGenerator', { loadGenerator: only })];
}

export function publishedText(reference: PlanReference, t: Translate): string {
  const { title, source, date, hardware } = reference;
  return t('report:provenance.published', { title, source, date, hardware });
}

export function publishedBaselineText(analysis: Pick<Analysis, 'scenarios'>, t: Translate): string {
  return t(isNormalized(analysis) ? 'report:published.normalized' : 'report:published.ownBaseline');
}

/** Every published number has one of the measured baseline. */
export function isNormalized({ scenarios }: Pick<Analysis, 'scenarios'>): boolean {
  const published = new Set(scenarios.flatMap(({ id, reference }) => (reference === null ? [] : [id])));
  return scenarios.every(({ reference, baselineId }) => reference === null || published.has(baselineId));
}
