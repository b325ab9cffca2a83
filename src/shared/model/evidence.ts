import * as z from 'zod';

/**
 * What else happened on the machine during a trial. Values by kind: `steal`: share of CPU time taken by the
 * hypervisor; `memory-pressure`: share of time a program waited for memory; `swapping`: pages per second; `thermal`: throttling events per window; `others-busy`, `container-busy`: CPU cores
 * over the trial; `on-battery`, `low-power`: none.
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

/** By the engine's counters; null if the engine does not count. */
const containerUsageSchema = z.object({
  cpuSeconds: z.number().nullable(),
  /** Seconds it was throttled. */
  throttledSeconds: z.number().nullable(),
  blockWriteBytes: z.number().nullable(),
});
export type ContainerUsage = z.infer<typeof containerUsageSchema>;

/** Of the time until a server is ready, in their order. `server`: what remains. */
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
  /** All that ended between the readings, counted or not. */
  transactions: z.number().int(),
  trend: z.object({ first: z.number(), last: z.number() }).nullable(),
  /** Medians before the load, µs. */
  path: z.object({ connectUs: z.number(), roundTripUs: z.number() }),
  /** Server status counters by name; null if unreadable. */
  server: z.record(z.string(), z.number()).nullable(),
  container: containerUsageSchema.nullable(),
  memoryBytes: z.number().nullable(),
  /** By all programs of the machine; null for an engine elsewhere, and where it isn't counted. */
  hostBytesWritten: z.number().nullable(),
  host: hostEvidenceSchema.nullable(),
  /** Of the task `ready`, ms. */
  start: z.partialRecord(z.enum(START_PARTS), z.number()).optional(),
  /** The user's, in the order of a first start, ms. */
  initScripts: z.array(initScriptSchema).optional(),
});
export type TrialEvidence = z.infer<typeof trialEvidenceSchema>;
