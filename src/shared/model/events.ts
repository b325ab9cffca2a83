import * as z from 'zod';
import { saidSchema } from '../message.ts';
import { errorDataSchema } from '../errors.ts';
import { trialEvidenceSchema } from './evidence.ts';
import { checkedTotalsSchema, windowSchema } from './measurements.ts';
import { momentSchema } from './moment.ts';
import { passportSchema } from './passport.ts';
import { imageChoiceSchema, noticeSchema, planSchema } from './plan.ts';

/** Phases of a trial, in order. */
export const TRIAL_PHASES = ['start', 'connect', 'warmup', 'measure', 'stop'] as const;

/** What is prepared before the first trial. */
export const STEP_KINDS = ['pull', 'build', 'init', 'load', 'clone', 'cleanup'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** How long a write of 4 KiB takes until the storage says that it is safe. */
const flushTimesSchema = z.object({
  /** Median of several runs' means, µs. */
  meanUs: z.number(),
  flushes: z.number().int(),
});
export type FlushTimes = z.infer<typeof flushTimesSchema>;

/** What a server says of itself, read back after its start. */
export const serverFactsSchema = z.object({
  serverId: z.string(),
  version: z.string(),
  versionComment: z.string(),
  /** Variables that matter, as the server reports them. */
  variables: z.record(z.string(), z.string()),
  /** Options passed on the command line. */
  options: z.array(z.string()),
  /** File system of the datadir as seen inside the container, for example "ext4" or "overlay"; null if unreadable. */
  datadirFileSystem: z.string().nullable(),
  /** Measured in the datadir, on the idle server; null where it could not be. */
  flush: flushTimesSchema.nullable(),
});
export type ServerFacts = z.infer<typeof serverFactsSchema>;

/** Whether a server's data still obeys its workload's rules after the load. */
export const consistencySchema = z.object({
  serverId: z.string(),
  /** How many conditions were checked. */
  conditions: z.number().int(),
  /** Those that do not hold, in words. */
  broken: z.array(z.string()),
});

/** Why a run that goes on until it is settled has ended. */
export const ROUNDS_ENDED = ['settled', 'budget'] as const;
export type RoundsEnded = (typeof ROUNDS_ENDED)[number];

const at = momentSchema;

export const windowEventSchema = z.object({
  type: z.literal('window'),
  at,
  trialId: z.string(),
  window: windowSchema,
});

/** Everything that can happen in a run. Executing emits these and does nothing else with them. */
export const runEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run-started'),
    at,
    runId: z.string(),
    appVersion: z.string(),
    plan: planSchema,
  }),
  z.object({ type: z.literal('image-resolved'), at, image: imageChoiceSchema }),
  z.object({
    type: z.literal('step-started'),
    at,
    stepId: z.string(),
    kind: z.enum(STEP_KINDS),
    /** What it works on: an image reference or a scenario's storage. */
    subject: z.string(),
  }),
  z.object({
    type: z.literal('step-progress'),
    at,
    stepId: z.string(),
    /** 0…1, or null when the end is not known. */
    fraction: z.number().nullable(),
    detail: saidSchema,
  }),
  z.object({
    type: z.literal('step-finished'),
    at,
    stepId: z.string(),
    error: errorDataSchema.nullable(),
  }),
  z.object({ type: z.literal('server-facts'), at, facts: serverFactsSchema }),
  z.object({ type: z.literal('consistency'), at, consistency: consistencySchema }),
  z.object({ type: z.literal('server-log'), at, serverId: z.string(), lines: z.array(z.string()) }),
  z.object({ type: z.literal('dataset-loaded'), at, bytes: z.number(), rows: z.number().int() }),
  z.object({ type: z.literal('trial-started'), at, trialId: z.string() }),
  z.object({ type: z.literal('trial-phase'), at, trialId: z.string(), phase: z.enum(TRIAL_PHASES) }),
  windowEventSchema,
  z.object({ type: z.literal('trial-finished'), at, trialId: z.string(), totals: checkedTotalsSchema }),
  /** What was counted around a measured trial; after `trial-finished`, so that losing it loses no trial. */
  z.object({ type: z.literal('trial-evidence'), at, trialId: z.string(), evidence: trialEvidenceSchema }),
  z.object({ type: z.literal('trial-failed'), at, trialId: z.string(), error: errorDataSchema }),
  z.object({ type: z.literal('notice'), at, notice: noticeSchema }),
  /** No round follows the last one, `after`, though the plan had more. */
  z.object({
    type: z.literal('rounds-ended'),
    at,
    after: z.number().int(),
    because: z.enum(ROUNDS_ENDED),
  }),
  /** The user wants the run to wait once the trial that runs has ended; `run-resumed` takes it back. */
  z.object({ type: z.literal('pause-requested'), at }),
  /** Nothing is measured until `run-resumed`: no server runs. */
  z.object({ type: z.literal('run-paused'), at }),
  z.object({ type: z.literal('run-resumed'), at }),
  z.object({ type: z.literal('stop-requested'), at }),
  z.object({
    type: z.literal('run-finished'),
    at,
    outcome: z.enum(['completed', 'stopped', 'failed']),
    error: errorDataSchema.nullable(),
  }),
  /**
   * A run that had ended, or whose process had died, goes on: what has no number yet is measured now. The only event
   * that counts after `run-finished`.
   */
  z.object({
    type: z.literal('run-continued'),
    at,
    /** When the last event before happened. */
    from: z.number(),
    /** The process that goes on with it, as an owner label names it. */
    owner: z.string(),
    /** The machine and its engine, where something was updated since the last sitting. */
    passport: passportSchema.optional(),
  }),
]);
export type RunEvent = z.infer<typeof runEventSchema>;
