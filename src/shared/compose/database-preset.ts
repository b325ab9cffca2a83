import { BenchmarkError } from '../errors.ts';
import { kindsOf } from '../kinds/kind.ts';
import { pathTraits, type PathKind } from '../kinds/paths.ts';
import { isInMemory, type StorageKind, STORAGES as STORAGE_TRAITS } from '../kinds/storages.ts';
import { type Message, msg } from '../message.ts';
import { presetSchema, type Preset } from '../model/preset.ts';
import { isLimited, type Limits, type StorageSpec } from '../model/server-spec.ts';
import { MIB, SETTING_NAMES } from '../model/server-settings.ts';
import {
  changeId,
  type Database,
  type DatabaseChange,
  type DatabaseService,
  partsOf,
} from '../model/database.ts';
import { OLTP_ROW_BYTES } from '../model/workload.ts';
import { effectiveOptions } from '../options/option.ts';
import { settingsOfOptions } from '../options/settings.ts';

export const DATABASE_PRESET = 'your-database';

/** Storages that keep data and that a Compose file can have. */
const STORAGES: readonly StorageKind[] = ['named-volume', 'bind-mount'];
/** A task needs no data afterwards. */
const TIMED_STORAGES: readonly StorageKind[] = [...STORAGES, 'tmpfs', 'image-layer'];
const PATHS: readonly PathKind[] = ['user-bridge', 'host-network', 'published-port'];
/** Each scenario takes two seconds of every pass. */
const MOST_SCENARIOS = 9;
/** MySQL's and MariaDB's default (their manuals, innodb_buffer_pool_size). */
const DEFAULT_POOL_MIB = 128;
const MOST_POOL_MIB = 2048;
const MOST_REDO_MIB = 1024;

const DATABASE_WORKLOAD = {
  kind: 'oltp_read_write',
  tables: 4,
  tableSize: 25_000,
  distribution: 'uniform',
} as const;

const WORDS = {
  name: 'Your database',
  question: 'Which change makes my MySQL faster?',
  together: 'Together',
  startQuestion: 'What takes the time when my database starts, and what would save it?',
  firstStart: 'First start',
  laterStart: 'Start with its data',
};

export const STARTS = { first: 'first-start', later: 'later-start' } as const;

/** Throws DATABASE_REFUSED for an unknown service, or one that can't be measured. */
export function serviceOf(database: Database, name: string): DatabaseService {
  const found = database.services.find((one) => one.name === name);
  const known = database.services.map((one) => one.name).join(', ');
  if (found === undefined)
    throw refused(name, [msg('yourDatabase.noService', { name, known: known || msg('list.none') })]);
  if (found.refusal !== null) throw refused(name, [found.refusal]);
  return found;
}

function refused(name: string, evidence: Message[]): BenchmarkError {
  return new BenchmarkError('DATABASE_REFUSED', { name }, { evidence });
}

export interface HowMeasured {
  memoryBytes: number;
  isTimed?: boolean | undefined;
  /** The data may be lost afterwards. */
  isForTests?: boolean | undefined;
  together?: DatabaseChange | undefined;
  /** The measured data, if it is more than usual. */
  dataBytes?: number | undefined;
  /** Null: no newer image to compare with. */
  newestImage?: string | null;
}

/** Throws DATABASE_REFUSED for changes that wouldn't be measured alone. */
export function presetOfDatabase(
  service: DatabaseService,
  {
    memoryBytes,
    isTimed = false,
    isForTests = isTimed,
    together,
    dataBytes = 0,
    newestImage = null,
  }: HowMeasured,
): Preset {
  const { image, flavor, limits, path } = service;
  const { settings, others } = ownOptions(service);
  const place = placeOf(service);
  // Tasks run on the host.
  const isReached = !isTimed || pathTraits(path.kind).placement === 'host';
  const base = { storage: place.kind, path: isReached ? path.kind : 'published-port' };
  const workload = DATABASE_WORKLOAD;
  const rowBytes = workload.tables * OLTP_ROW_BYTES;
  const pool = largePool(limits, memoryBytes);
  const isUnread = service.warnings.some((one) => one.code === 'compose.ownStart');
  const isDoublewriteOff = effectiveOptions(others).get('innodb-doublewrite') === '0';
  const own = { image, flavor, limits, settings, pool, newestImage, isForTests, isDoublewriteOff };
  const overrides = overridesOf(own, isUnread);
  const changes = Object.keys(overrides);
  const alone: ChangedScenario[] = [
    ...(isTimed ? TIMED_STORAGES : STORAGES)
      .filter((kind) => kind !== place.kind)
      .map((kind) => ({ ...base, storage: kind })),
    ...changes.filter((id) => id !== 'newest-version').map((server) => ({ ...base, server })),
    ...(isTimed ? [] : PATHS).filter((kind) => kind !== path.kind).map((kind) => ({ ...base, path: kind })),
    // The newest version is the first to be left out.
    ...changes.filter((id) => id === 'newest-version').map((server) => ({ ...base, server })),
  ];
  const scenarios = together === undefined ? alone : [combined(service.name, base, alone, together)];
  return presetOn(service, {
    question: WORDS.question,
    storages: { [place.kind]: place },
    servers: together === undefined ? overrides : { together: merged(overrides, together) },
    workload: { ...workload, tableSize: Math.max(workload.tableSize, Math.round(dataBytes / rowBytes)) },
    connections: isTimed ? 1 : 8,
    scenarios: [base, ...scenarios].slice(0, MOST_SCENARIOS),
    baseline: `${base.storage}.${base.path}`,
    aaCheck: true,
    schedule: isTimed
      ? { rounds: 20, warmupSeconds: 0, durationSeconds: 10, untilConclusive: { budgetMinutes: 10 } }
      : {
          rounds: 3,
          warmupSeconds: 1,
          durationSeconds: 10,
          sliceSeconds: 1,
          untilConclusive: { budgetMinutes: 5 },
        },
  });
}

/** Starts with the project's scripts, on its data, and of an image with the data. */
export function presetOfStarts(service: DatabaseService): Preset {
  const place = placeOf(service);
  const mayBeEmpty = STORAGE_TRAITS[place.kind].options?.includes('starts') === true;
  const first = mayBeEmpty ? place : { kind: 'named-volume' as const };
  const later = isInMemory(first.kind) ? { kind: 'named-volume' as const } : first;
  const path = 'published-port';
  return presetOn(service, {
    question: WORDS.startQuestion,
    task: { kind: 'ready' },
    storages: {
      [STARTS.first]: { ...first, name: WORDS.firstStart, starts: 'empty' },
      [STARTS.later]: { ...later, name: WORDS.laterStart },
    },
    connections: 1,
    scenarios: [STARTS.first, STARTS.later, 'image-layer'].map((kind) => ({ storage: kind, path })),
    baseline: `${STARTS.first}.${path}`,
    // The kinds differ by many times the noise.
    aaCheck: false,
    schedule: {
      rounds: 20,
      warmupSeconds: 0,
      durationSeconds: 10,
      untilConclusive: { budgetMinutes: 7 },
    },
  });
}

function presetOn(service: DatabaseService, fields: object): Preset {
  const { image, limits } = service;
  const { settings, others } = ownOptions(service);
  const defaults = Object.fromEntries(SETTING_NAMES.map((one) => [one, 'default']));
  return presetSchema.parse({
    whalemark: 1,
    id: DATABASE_PRESET,
    name: WORDS.name,
    server: { image, settings: { ...defaults, ...settings }, limits, options: others },
    workload: DATABASE_WORKLOAD,
    ...fields,
  });
}

function ownOptions({ options, flavor }: DatabaseService): ReturnType<typeof settingsOfOptions> {
  return settingsOfOptions(options, flavor);
}

function placeOf({ storage: { kind, spec } }: DatabaseService): StorageSpec {
  return spec ?? { kind };
}

interface ChangedScenario {
  storage: StorageKind;
  path: PathKind;
  server?: string;
}

function combined(
  name: string,
  base: ChangedScenario,
  alone: readonly ChangedScenario[],
  together: DatabaseChange,
): ChangedScenario {
  const known = alone.flatMap((one) =>
    (['storage', 'path', 'server'] as const)
      .filter((factor) => one[factor] !== base[factor])
      .map((factor) => ({ factor, level: one[factor] ?? '' })),
  );
  const parts = partsOf(together);
  const isKnown = (part: DatabaseChange): boolean =>
    known.some(({ factor, level }) => factor === part.factor && level === part.level);
  const unknown = parts.find((part) => !isKnown(part));
  const twice = parts.find(({ factor, level }, index) =>
    parts
      .slice(0, index)
      .some((one) => one.factor === factor && (factor !== 'server' || one.level === level)),
  );
  const wrong = unknown ?? twice;
  if (wrong !== undefined) {
    const allowed = known.map(({ factor, level }) => `${factor}.${level}`).join(', ');
    throw refused(name, [msg('yourDatabase.notTogether', { change: changeId(wrong), allowed })]);
  }
  const changed = parts.map(({ factor, level }) => [factor, factor === 'server' ? 'together' : level]);
  return { ...base, ...Object.fromEntries(changed) } as ChangedScenario;
}

function merged(overrides: ReturnType<typeof overridesOf>, together: DatabaseChange): ServerOverride {
  const own = partsOf(together).flatMap(({ factor, level }) =>
    factor === 'server' && overrides[level] !== undefined ? [overrides[level]] : [],
  );
  const settings = Object.assign({}, ...own.map((one) => one.settings)) as Settings;
  const options = own.flatMap((one) => one.options ?? []);
  const rest = { name: WORDS.together, settings, ...(options.length > 0 && { options }) };
  return Object.assign({}, ...own, rest) as ServerOverride;
}

/** A power of two; the redo log is as large, up to 1 GiB. */
function largePool({ memoryMiB }: Limits, memoryBytes: number): number {
  const most = Math.min(memoryBytes / MIB / 8, (memoryMiB ?? Infinity) / 2, MOST_POOL_MIB);
  return most < 1 ? 0 : 2 ** Math.floor(Math.log2(most));
}

type Settings = ReturnType<typeof settingsOfOptions>['settings'];

interface ServerOverride {
  name: string;
  settings: Settings;
  options?: string[];
  limits?: Limits;
  image?: string;
}

interface OwnServer extends Pick<DatabaseService, 'flavor' | 'image' | 'limits'> {
  settings: Settings;
  /** Size of the buffer pool, MiB. */
  pool: number;
  newestImage: string | null;
  isForTests: boolean;
  isDoublewriteOff: boolean;
}

/** MySQL writes the binary log by default since 8.0. */
function writesBinlog({ settings, flavor, image }: OwnServer): boolean {
  return (
    settings.binlog === true || (settings.binlog !== false && flavor !== 'mariadb' && !/:5\.\d/.test(image))
  );
}

interface ServerChange {
  name: string;
  options: readonly string[];
  applies(server: OwnServer): boolean;
  more?(server: OwnServer): Partial<ServerOverride>;
}

/** IDs are names of servers in the preset. */
export const SERVER_CHANGES = {
  'without-limits': {
    name: 'Without limits',
    options: [],
    applies: ({ limits }) => isLimited(limits),
    more: () => ({ limits: { cpus: null, memoryMiB: null } }),
  },
  'relaxed-flush': {
    name: 'Relaxed flush',
    options: ['--innodb-flush-log-at-trx-commit=2', '--sync-binlog=0'],
    applies: ({ settings }) => (settings.flushLogAtTrxCommit ?? 1) === 1,
  },
  'no-binary-log': {
    name: 'Without binary log',
    options: ['--skip-log-bin'],
    // A server of an unknown flavor may not know the option.
    applies: (server) => server.flavor !== null && writesBinlog(server),
  },
  /** If only one of its options changes the server, another change is the same. */
  'no-durability': {
    name: 'Without durability, for tests',
    options: ['--innodb-flush-log-at-trx-commit=0', '--skip-log-bin', '--innodb-doublewrite=OFF'],
    applies: (server) => {
      const { settings, flavor, isForTests, isDoublewriteOff } = server;
      const changed = [settings.flushLogAtTrxCommit !== 0, writesBinlog(server), !isDoublewriteOff];
      return isForTests && flavor !== null && changed.filter(Boolean).length > 1;
    },
  },
  'large-pool': {
    name: 'Larger pool and redo log',
    options: [],
    applies: ({ settings: { bufferPool }, pool }) =>
      pool > Math.max(typeof bufferPool === 'number' ? bufferPool : 0, DEFAULT_POOL_MIB),
    more: ({ pool, settings: { redoLogMiB } }) => {
      const own = typeof redoLogMiB === 'number' ? redoLogMiB : 0;
      return { settings: { bufferPool: pool, redoLogMiB: Math.max(own, Math.min(pool, MOST_REDO_MIB)) } };
    },
  },
  'newest-version': {
    name: 'Newest version',
    options: [],
    applies: ({ newestImage }) => newestImage !== null,
    more: ({ newestImage }) => (newestImage === null ? {} : { image: newestImage }),
  },
} satisfies Record<string, ServerChange>;

export type ServerChangeId = keyof typeof SERVER_CHANGES;
const SERVER_CHANGE_IDS = kindsOf(SERVER_CHANGES);

function overridesOf(server: OwnServer, isUnread: boolean): Partial<Record<string, ServerOverride>> {
  // An image that starts in its own way may have the same options.
  const ids = SERVER_CHANGE_IDS.filter((id) => !isUnread || id === 'without-limits');
  return Object.fromEntries(
    ids.flatMap((id): [string, ServerOverride][] => {
      const { name, options, applies, more }: ServerChange = SERVER_CHANGES[id];
      if (!applies(server)) return [];
      const { settings, others } = settingsOfOptions(options, server.flavor);
      return [[id, { name, settings, ...(others.length > 0 && { options: others }), ...more?.(server) }]];
    }),
  );
}

/** Texts that zh-CN/presets.json translates. */
export const DATABASE_WORDS: Readonly<Record<string, string>> = {
  ...WORDS,
  ...Object.fromEntries(SERVER_CHANGE_IDS.map((id) => [id, SERVER_CHANGES[id].name])),
};
