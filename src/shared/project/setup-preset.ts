import { BenchmarkError } from '../errors.ts';
import { kindsOf } from '../kinds/kind.ts';
import type { PathKind } from '../kinds/paths.ts';
import type { StorageKind } from '../kinds/storages.ts';
import { type Message, msg } from '../message.ts';
import { presetSchema, type Preset } from '../model/preset.ts';
import { isLimited, type Limits } from '../model/server-spec.ts';
import { SETTING_NAMES } from '../model/server-settings.ts';
import type { Setup, SetupService } from '../model/setup.ts';
import { settingsOfOptions } from '../options/settings.ts';

export const SETUP_PRESET = 'my-setup';

/** What keeps data, and what a Compose file can say. */
const STORAGES: readonly StorageKind[] = ['named-volume', 'bind-mount'];
const PATHS: readonly PathKind[] = ['user-bridge', 'host-network', 'published-port'];
/** Each takes two seconds of every round. */
const MOST_SCENARIOS = 8;

/** In English, as presets are; zh-CN/presets.json translates them. */
export const SETUP_WORDS = {
  name: 'Your database',
  question: 'Which change makes my MySQL faster?',
  'without-limits': 'Without limits',
  'relaxed-flush': 'Relaxed flush',
  'without-binlog': 'Without binary log',
} satisfies Record<ServerChangeId | 'name' | 'question', string>;

/** Throws SETUP_REFUSED for a service that the setup lacks, or that can't be measured. */
export function serviceOf(setup: Setup, name: string): SetupService {
  const found = setup.services.find((one) => one.name === name);
  const known = setup.services.map((one) => one.name).join(', ');
  if (found === undefined) throw refused(name, [msg('mySetup.noService', { name, known: known || '–' })]);
  if (found.refusal !== null) throw refused(name, [found.refusal]);
  if (found.storage.spec === null) throw refused(name, [msg('mySetup.noPlace'), ...found.warnings]);
  return found;
}

function refused(name: string, evidence: Message[]): BenchmarkError {
  return new BenchmarkError('SETUP_REFUSED', { name }, { evidence });
}

/**
 * The service as it is, next to what differs from it in one factor. `options` are expected to be those that can be
 * measured.
 */
export function presetOfSetup(setup: Setup, name: string): Preset {
  const service = serviceOf(setup, name);
  const { image, flavor, limits, options, storage, path } = service;
  const { settings, others } = settingsOfOptions(options, flavor);
  const place = storage.spec ?? { kind: storage.kind };
  const base = { storage: place.kind, path: path.kind };
  const changes = changesOf(service, settings);
  const scenarios = [
    base,
    ...STORAGES.filter((kind) => kind !== place.kind).map((kind) => ({ ...base, storage: kind })),
    ...changes.map((server) => ({ ...base, server })),
    ...PATHS.filter((kind) => kind !== path.kind).map((kind) => ({ ...base, path: kind })),
  ];
  return presetSchema.parse({
    whalemark: 1,
    id: SETUP_PRESET,
    name: SETUP_WORDS.name,
    question: SETUP_WORDS.question,
    server: {
      image,
      settings: {
        ...Object.fromEntries(SETTING_NAMES.map((one) => [one, 'default'])),
        ...settings,
      },
      limits,
      options: others,
    },
    storages: { [place.kind]: place },
    servers: Object.fromEntries(changes.map((id) => [id, overrideOf(id, service)])),
    workload: { kind: 'oltp_read_write', tables: 4, tableSize: 25_000, distribution: 'uniform' },
    connections: 8,
    scenarios: scenarios.slice(0, MOST_SCENARIOS),
    baseline: `${place.kind}.${path.kind}`,
    aaCheck: true,
    schedule: {
      rounds: 24,
      warmupSeconds: 0.7,
      durationSeconds: 1.3,
      untilConclusive: { budgetMinutes: 7 },
    },
  });
}

type Settings = ReturnType<typeof settingsOfOptions>['settings'];

function changesOf({ limits, flavor, image }: SetupService, settings: Settings): ServerChangeId[] {
  // MySQL writes the binary log by default since 8.0; a server of an unknown flavor may not know the option.
  const writesBinlog =
    settings.binlog ?? ((flavor === 'mysql' || flavor === 'percona') && !/:5\.\d/.test(image));
  const applies: Record<ServerChangeId, boolean> = {
    'without-limits': isLimited(limits),
    'relaxed-flush': (settings.flushLogAtTrxCommit ?? 1) === 1,
    'without-binlog': writesBinlog === true && flavor !== 'mariadb' && flavor !== null,
  };
  return SERVER_CHANGE_IDS.filter((id) => applies[id]);
}

function overrideOf(id: ServerChangeId, { flavor }: SetupService): object {
  const { options, limits }: { options: readonly string[]; limits?: object } = SERVER_CHANGES[id];
  const { settings } = settingsOfOptions(options, flavor);
  return { name: SETUP_WORDS[id], settings, ...(limits === undefined ? {} : { limits }) };
}

interface ServerChange {
  /** Added to the server's own. */
  options: readonly string[];
  /** Replaces the setup's limits. */
  limits?: Limits;
  /**
   * What may be lost that the setup keeps: commits of the last second when the machine goes down, or what the binary
   * log is for. Source: MySQL Reference Manual, innodb_flush_log_at_trx_commit, sync_binlog, and log_bin.
   */
  loses: 'nothing' | 'last-second' | 'binary-log';
}

/** What could replace settings or limits of a setup; the ids are names of servers in its preset. */
export const SERVER_CHANGES = {
  'without-limits': { options: [], limits: { cpus: null, memoryMiB: null }, loses: 'nothing' },
  'relaxed-flush': {
    options: ['--innodb-flush-log-at-trx-commit=2', '--sync-binlog=0'],
    loses: 'last-second',
  },
  'without-binlog': { options: ['--skip-log-bin'], loses: 'binary-log' },
} satisfies Record<string, ServerChange>;

export type ServerChangeId = keyof typeof SERVER_CHANGES;
const SERVER_CHANGE_IDS = kindsOf(SERVER_CHANGES);
