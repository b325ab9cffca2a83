import * as z from 'zod';

/**
 * What else went on on a machine while it measured. The `value` of a condition, by its kind:
 * `steal`: share of CPU time that the hypervisor gave to others; `memory-pressure`: share of time in which a program
 * stood still for memory; `memory-low`: share of memory in use; `swapping`: pages a second; `thermal`: times the
 * processor was slowed down in a window; `others-busy`, `container-busy`: CPU cores, over the whole trial;
 * `on-battery`, `low-power`: no value.
 */
export const HOST_CONDITIONS = [
  'steal',
  'memory-pressure',
  'memory-low',
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
  /** Indexes of the `measure` windows that it touches; null: it is only known of the trial as a whole. */
  windows: z.array(z.number().int()).nullable(),
  /** How strong at worst, in the unit of its kind; null where it is only yes or no. */
  value: z.number().nullable(),
  /** The busy container, or the busiest of the other programs; null: not known, or not to be given away. */
  name: z.string().nullable(),
});
export type HostCondition = z.infer<typeof hostConditionSchema>;

/** What was found while the load of one trial ran; empty where nothing was worth a word. */
const hostEvidenceSchema = z.object({ conditions: z.array(hostConditionSchema) });
export type HostEvidence = z.infer<typeof hostEvidenceSchema>;

/** What a container used, by the engine's own counters; null where the engine does not count it. */
const containerUsageSchema = z.object({
  cpuSeconds: z.number().nullable(),
  /** Time that it wanted to run and was not let, seconds. */
  throttledSeconds: z.number().nullable(),
  blockReadBytes: z.number().nullable(),
  blockWriteBytes: z.number().nullable(),
  networkReceivedBytes: z.number().nullable(),
  networkSentBytes: z.number().nullable(),
});
export type ContainerUsage = z.infer<typeof containerUsageSchema>;

/**
 * What moved while a trial's load ran: counters read on the idle server just before the warm-up and just after the last
 * answer, so that reading them takes nothing from the load. They cover warm-up and measuring, and so do `transactions`.
 */
export const trialEvidenceSchema = z.object({
  /** Completed in warm-up and measuring. */
  transactions: z.number().int(),
  /**
   * Throughput of the first and the last third of measuring, transactions per second; null for less than six windows.
   */
  trend: z.object({ first: z.number(), last: z.number() }).nullable(),
  /** Medians of the check of the path before the load, µs. */
  path: z.object({ connectUs: z.number(), roundTripUs: z.number() }),
  /** Growth of the server's status counters, by name; null when they could not be read. */
  server: z.record(z.string(), z.number()).nullable(),
  /** Of the server's container; null without one. */
  container: containerUsageSchema.nullable(),
  /** Memory of the server's container at the end, bytes; null where nobody counts it. */
  memoryBytes: z.number().nullable(),
  /** Of the machine that the app runs on, and its engine; null where it was not watched. */
  host: hostEvidenceSchema.nullable(),
});
export type TrialEvidence = z.infer<typeof trialEvidenceSchema>;
