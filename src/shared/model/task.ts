import * as z from 'zod';

const ready = z.strictObject({
  kind: z.literal('ready').describe('Start of the server, until its first login.'),
});
const migrations = z.strictObject({
  kind: z
    .literal('migrations')
    .describe('Migrations: statements that change tables, each with its own commit.'),
  count: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .describe('Number of tables that are created, altered, indexed, and linked by a foreign key.'),
});
const importTables = z.strictObject({
  kind: z.literal('import').describe("Import of a dump of the workload's tables into an empty database."),
});
const reset = z.strictObject({
  kind: z.literal('reset').describe("Import of a dump of the workload's tables over the same tables."),
});

export const presetTaskSchema = z.discriminatedUnion('kind', [ready, migrations, importTables, reset]);

/** A Docker health check in seconds. */
const healthCheckSchema = z.object({
  intervalSeconds: z.number(),
  retries: z.number(),
  startPeriodSeconds: z.number(),
  /** The temporary server that runs the scripts also passes it. */
  isFooled: z.boolean(),
});
export type HealthCheck = z.infer<typeof healthCheckSchema>;

/** `bytes`: size of the scripts. */
const ownStartSchema = z.object({ bytes: z.number(), healthCheck: healthCheckSchema.nullable() });
export type OwnStart = z.infer<typeof ownStartSchema>;

const own = {
  /** Size of the user's SQL before each trial. */
  beforeBytes: z.number().optional(),
  limitSeconds: z.number().positive().optional(),
};

/** A plan lacks commands and files of the user's tasks. */
export const taskSchema = z.discriminatedUnion('kind', [
  ready.extend({ ownStart: ownStartSchema.optional() }),
  migrations.extend(own),
  importTables.extend(own),
  reset.extend(own),
  z.strictObject({ kind: z.literal('dump'), bytes: z.number(), ...own }),
  z.strictObject({
    ...own,
    kind: z.literal('command'),
    limitSeconds: z.number().positive(),
    /** Absent: the task runs on this machine. */
    image: z.string().optional(),
  }),
]);
export type Task = z.infer<typeof taskSchema>;
export type TaskKind = Task['kind'];

export const DEFAULT_LIMIT_SECONDS = 30 * 60;

/** Seconds for the task, and as many for the SQL before it. */
export function limitOf(task: Task | null): number {
  const limit = task === null || task.kind === 'ready' ? undefined : task.limitSeconds;
  return limit ?? DEFAULT_LIMIT_SECONDS;
}

interface TaskTraits {
  /** The workload's tables, or an empty schema. */
  startsWith: 'tables' | 'schema';
  /** The user's own task can't be run again from its result. */
  isOwn?: true;
}

/** Properties with texts in `report:task.KIND`. */
export const TASKS: Readonly<Record<TaskKind, TaskTraits>> = {
  ready: { startsWith: 'tables' },
  migrations: { startsWith: 'schema' },
  import: { startsWith: 'schema' },
  reset: { startsWith: 'tables' },
  dump: { startsWith: 'schema', isOwn: true },
  command: { startsWith: 'schema', isOwn: true },
};

export function isOwnTask({ task }: { task: Task | null }): boolean {
  return (
    task !== null &&
    (TASKS[task.kind].isOwn === true || ownSqlBytes(task) > 0 || ownStartOf({ task }) !== undefined)
  );
}

export function taskImage({ task }: { task: Task | null }): string | undefined {
  return task?.kind === 'command' ? task.image : undefined;
}

export function ownSqlBytes(task: Task | null): number {
  if (task === null) return 0;
  if (task.kind === 'ready') return task.ownStart?.bytes ?? 0;
  return (task.kind === 'dump' ? task.bytes : 0) + (task.beforeBytes ?? 0);
}

export function importsSql(task: Task | undefined): boolean {
  if (task === undefined) return false;
  return ['import', 'reset', 'dump'].includes(task.kind) || ownSqlBytes(task) > 0;
}

export function ownStartOf({ task }: { task: Task | null }): OwnStart | undefined {
  return task?.kind === 'ready' ? task.ownStart : undefined;
}

export function hasData(task: Task): boolean {
  const { kind } = task;
  return (kind === 'ready' && task.ownStart === undefined) || kind === 'import' || kind === 'reset';
}

export function hasTables({ task }: { task: Task | null }): boolean {
  return task === null || (TASKS[task.kind].startsWith === 'tables' && ownStartOf({ task }) === undefined);
}
