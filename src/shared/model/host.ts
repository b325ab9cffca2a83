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
export const hostEvidenceSchema = z.object({ conditions: z.array(hostConditionSchema) });
export type HostEvidence = z.infer<typeof hostEvidenceSchema>;
