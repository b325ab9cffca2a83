import * as z from 'zod';

/**
 * Units: share of CPU time for the hypervisor (`steal`), of time waiting for memory (`memory-pressure`),
 * pages per second (`swapping`), throttling events per window (`thermal`), and CPU cores (`others-busy`,
 * `container-busy`).
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
  /** The worst value; null for yes/no kinds. */
  value: z.number().nullable(),
  /** The busiest container or program; null: unknown or private. */
  name: z.string().nullable(),
});
export type HostCondition = z.infer<typeof hostConditionSchema>;

const hostEvidenceSchema = z.object({ conditions: z.array(hostConditionSchema) });
export type HostEvidence = z.infer<typeof hostEvidenceSchema>;

/** Null: the engine doesn't count it. */
const containerUsageSchema = z.object({
  cpuSeconds: z.number().nullable(),
  throttledSeconds: z.number().nullable(),
  blockWriteBytes: z.number().nullable(),
});
export type ContainerUsage = z.infer<typeof containerUsageSchema>;

/** Parts of a start in their order; `server` is the rest. */
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

/** Growth from before the warm-up to after the last answer, read on the idle server. */
export const trialEvidenceSchema = z.object({
  /** Transactions between the readings, counted or not. */
  transactions: z.number().int(),
  trend: z.object({ first: z.number(), last: z.number() }).nullable(),
  /** Medians before the load. */
  path: z.object({ connectUs: z.number(), roundTripUs: z.number() }),
  /** Status counters by name; null: unreadable. */
  server: z.record(z.string(), z.number()).nullable(),
  container: containerUsageSchema.nullable(),
  memoryBytes: z.number().nullable(),
  /** Bytes of all programs; null: an engine elsewhere, or not counted. */
  hostBytesWritten: z.number().nullable(),
  host: hostEvidenceSchema.nullable(),
  /** Times of the task `ready`, ms. */
  start: z.partialRecord(z.enum(START_PARTS), z.number()).optional(),
  /** Scripts in the order of a first start, ms. */
  initScripts: z.array(initScriptSchema).optional(),
});
export type TrialEvidence = z.infer<typeof trialEvidenceSchema>;
