import type { PathKind } from '../kinds/paths.ts';
import { isInContainer, NATIVE_PATH } from '../model/cells.ts';
import { presetSchema, type Preset } from '../model/preset.ts';
import type { TaskKind } from '../model/task.ts';

export interface TaskChoice {
  /** The first one is the baseline's. */
  storages?: readonly string[] | undefined;
  changes?: readonly string[] | undefined;
}

/** One change at a time against the first level; throws like `presetSchema`. */
export function withLevels(preset: Preset, { storages, changes }: TaskChoice): Preset {
  const { path: usual = 'published-port' } = preset.scenarios[0] ?? {};
  const pathOf = (storage: string): PathKind => (isInContainer(storage) ? usual : NATIVE_PATH);
  const known = [...new Set(preset.scenarios.map(({ storage }) => storage))];
  const [first = '', ...others] = storages ?? known;
  const servers = changes ?? Object.keys(preset.servers);
  return presetSchema.parse({
    ...preset,
    scenarios: [
      ...[first, ...others].map((storage) => ({ storage, path: pathOf(storage) })),
      ...servers.map((server) => ({ server, storage: first, path: pathOf(first) })),
    ],
    baseline: `${first}.${pathOf(first)}`,
  });
}

export function firstStorage({ scenarios }: Preset): string[] {
  return scenarios.slice(0, 1).map(({ storage }) => storage);
}

/** The first image is the reference; native scenarios stay. */
export function withImages(preset: Preset, images: readonly string[]): Preset {
  const ids = images.map(
    (image, index) =>
      image
        .toLowerCase()
        .match(/[a-z0-9][a-z0-9.-]*/g)
        ?.join('-') ?? `image-${index + 1}`,
  );
  return presetSchema.parse({
    ...preset,
    server: { ...preset.server, image: images[0] },
    servers: Object.fromEntries(images.map((image, index) => [ids[index], { image }])),
    scenarios: preset.scenarios
      .filter(({ server }) => server === undefined)
      .flatMap((one) => (isInContainer(one.storage) ? ids.map((server) => ({ ...one, server })) : [one])),
    baseline: [preset.baseline]
      .flat()
      .map((id) => (id.endsWith(`.${NATIVE_PATH}`) ? id : `${ids[0] ?? ''}.${id}`)),
  });
}

export const PRESET_OF_TASK: Readonly<Record<TaskKind, string>> = {
  ready: 'time-ready',
  migrations: 'time-migrations',
  import: 'time-import',
  reset: 'time-reset',
  dump: 'time-import',
  command: 'time-migrations',
};

/** Fields for the user's own task, in English as all presets. */
export const OWN_TASKS = {
  dump: { id: 'time-dump', name: 'Import of your dump' },
  command: {
    id: 'time-command',
    name: 'Your command',
    question: 'How long does my command take, and what makes it faster?',
  },
} satisfies Partial<Record<TaskKind, Partial<Preset>>>;

/** A user's own task may take minutes. */
const OWN_SCHEDULE = { rounds: 20, untilConclusive: { budgetMinutes: 10 } };

/** A user's own task is only in the plan. */
export function presetOfTask(builtIn: Preset, kind: TaskKind): Preset {
  if (kind !== 'dump' && kind !== 'command') return builtIn;
  const schedule = { ...builtIn.schedule, ...OWN_SCHEDULE };
  const own = { ...builtIn, ...OWN_TASKS[kind], schedule };
  delete own.task;
  return own;
}
