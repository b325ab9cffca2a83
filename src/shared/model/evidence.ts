import * as z from 'zod';

/**
 * Conditions of the machine during a trial. Units of their values: `steal`: share of CPU time that the hypervisor took;
 * `memory-pressure`: share of time that a program waited for memory; `swapping`: pages per second; `thermal`: throttling
 * events per window; `others-busy`, `container-busy`: CPU cores over the trial; `on-battery`, `low-power`: no value.
 */
export const HOST_CONDITIONS = [
  'steal',
  'memory-pressure',
  'swapping',
  'thermal',
  'others-busy',
  'container-busy',
  'on-battery',
  'low-power',
] as const;
export type HostConditionKind = (typeof HOST_CONDITIONS)[number];

const hostConditionSchema = z.object({
  kind: z.enum(HOST_CONDITIONS),
  windows: z.array(z.number().int()).nullable(),
  /** The worst value in the unit of its kind; null for yes/no kinds. */
  value: z.number().nullable(),
  /** The busiest container or other program; null: unknown or private. */
  name: z.string().nullable(),
});
export type HostCondition = z.infer<typeof hostConditionSchema>;

const hostEvidenceSchema = z.object({ conditions: z.array(hostConditionSchema) });
export type HostEvidence = z.infer<typeof hostEvidenceSchema>;

/** Counters of the engine; null if it doesn't count. */
const containerUsageSchema = z.object({
  cpuSeconds: z.number().nullable(),
  /** Seconds for which the container was throttled. */
  throttledSeconds: z.number().nullable(),
  blockWriteBytes: z.number().nullable(),
});
export type ContainerUsage = z.infer<typeof containerUsageSchema>;

/** Parts of the time until a server is ready, in their order. `server` is the rest. */
export const START_PARTS = [
  'container',
  'initialization',
  'temporaryServer',
  'timeZones',
  'shellScripts',
  'sqlFiles',
  'recovery',
  'server',
  'login',
] as const;
export type StartPart = (typeof START_PARTS)[number];

const initScriptSchema = z.object({ name: z.string(), ms: z.number() });
export type InitScript = z.infer<typeof initScriptSchema>;

/** Growth from before the warm-up to after the last answer, read on the idle server so that it costs the load nothing. */
export const trialEvidenceSchema = z.object({
  /** Transactions that ended between the readings, counted or not. */
  transactions: z.number().int(),
  trend: z.object({ first: z.number(), last: z.number() }).nullable(),
  /** Medians before the load, µs. */
  path: z.object({ connectUs: z.number(), roundTripUs: z.number() }),
  /** Server status counters by name; null if unreadable. */
  server: z.record(z.string(), z.number()).nullable(),
  container: containerUsageSchema.nullable(),
  memoryBytes: z.number().nullable(),
  /** Bytes that all programs of the machine wrote; null for an engine elsewhere, and where it isn't counted. */
  hostBytesWritten: z.number().nullable(),
  host: hostEvidenceSchema.nullable(),
  /** Times of the task `ready`, ms. */
  start: z.partialRecord(z.enum(START_PARTS), z.number()).optional(),
  /** The user's scripts in the order of a first start, ms. */
  initScripts: z.array(initScriptSchema).optional(),
});
export type TrialEvidence = z.infer<typeof trialEvidenceSchema>;
