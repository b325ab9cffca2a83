import * as z from 'zod';
import { errorDataSchema } from '../../errors.ts';
import { whatIsLeftSchema } from '../../model/what-is-left.ts';
import { runtimeReportSchema } from '../../model/passport.ts';
import { CONSENTS, planSchema } from '../../model/plan.ts';
import { rampSchema, rate } from '../../model/preset-parts.ts';
import { runViewSchema } from '../../model/run-view.ts';
import { nothing, pathText, presetText, shortText } from './limits.ts';
import { annotationsSchema, historyEntrySchema, recentEntrySchema } from '../../model/history-entry.ts';
import { importedFileSchema } from '../../model/imported.ts';

/** What the user has agreed to so far; only then an external server is connected to for its plan. */
const agreed = z.array(z.enum(CONSENTS)).max(CONSENTS.length);

/** Runtimes, plans, and the run that goes on. */
export const coreRunRequests = {
  /** Looks for runtimes anew; `preferId` uses that one if it is usable. */
  'runtimes:look': {
    params: z.strictObject({
      preferId: shortText.optional(),
      /** Asks only the places of this machine again; what was found on others stands. For looking every few seconds. */
      nearby: z.boolean().optional(),
    }),
    answer: runtimeReportSchema,
  },
  'plan:make': {
    params: z.strictObject({
      presetId: shortText,
      /** The text of a preset that is not kept, in place of the one called `presetId`. */
      presetText: presetText.optional(),
      mode: z.enum(['full', 'short']),
      /** Another server image than the preset's. */
      image: shortText.optional(),
      /** Go on until every comparison is settled, for so many minutes of measuring at the most. */
      untilSettledMinutes: z.number().min(1).max(10_080).optional(),
      /** Begin so many transactions per second, whether earlier ones are answered or not. */
      rate: rate.optional(),
      /** Measure everything with each of these numbers of connections. */
      ramp: rampSchema.optional(),
      consents: agreed.optional(),
      runtimeId: shortText.optional(),
    }),
    answer: planSchema,
  },
  /**
   * Plans what a finished run was once more, for this machine's engine: the same scenarios, settings, data, schedule
   * and seed, whatever became of its preset. Opened results can be repeated like those of this machine.
   */
  'plan:repeat': {
    params: z.strictObject({
      runId: shortText,
      runtimeId: shortText.optional(),
      consents: agreed.optional(),
    }),
    answer: planSchema,
  },
  /**
   * What is left of a run of this machine that ended early. Starting the plan that comes back goes on with the run
   * itself: `run:start` answers with its id. Rejects with RUN_NOT_CONTINUABLE.
   */
  'plan:continue': {
    params: z.strictObject({ runId: shortText, runtimeId: shortText.optional() }),
    answer: z.object({ plan: planSchema, left: whatIsLeftSchema }),
  },
  /**
   * Starts a plan that `plan:make`, `plan:repeat` or `plan:continue` gave; `consents` must hold every one that the plan
   * asks for.
   */
  'run:start': {
    params: z.strictObject({
      planId: shortText,
      consents: agreed.default([]),
    }),
    answer: z.object({ runId: z.string() }),
  },
  /**
   * Whether a run is kept here with its journal and nobody has it in hand: a run of this machine, to be gone on with if
   * something is left of it. `plan:continue` looks closer.
   */
  'run:continuable': { params: z.strictObject({ runId: shortText }), answer: z.boolean() },
  /** Why the result of a run of this session is not on disk; null: it is, or nothing is known of it. Waits for a run that just ends. */
  'run:save-error': { params: z.strictObject({ runId: shortText }), answer: errorDataSchema.nullable() },
  'run:stop': { params: z.strictObject({}), answer: nothing },
  /** Has the run wait once the trial that runs has ended. These three do nothing when there is nothing to do. */
  'run:pause': { params: z.strictObject({}), answer: nothing },
  /** The run goes on, or does not pause after all. */
  'run:resume': { params: z.strictObject({}), answer: nothing },
  /** Ends the trial that runs; it does not count, and the next begins. */
  'run:skip': { params: z.strictObject({}), answer: nothing },
  /** The run that goes on, or the last one of this session. */
  'run:current': { params: z.strictObject({}), answer: runViewSchema.nullable() },
  /** Local server images that could stand in for an unreachable one. */
  'images:local': { params: z.strictObject({}), answer: z.array(z.string()) },
} as const;

/** Finished runs and imported measurements: listing and opening. */

/** Characters of a file that can be dropped onto the window; larger files are opened by name, line by line. */
export const MOST_DROPPED = 64 * 1024 * 1024;

export const coreResultRequests = {
  /** The latest first. */
  'results:recent': { params: z.strictObject({}), answer: z.array(recentEntrySchema) },
  /** The result that comes with the app: of a real run, on another machine. It is in no list. */
  'results:example': { params: z.strictObject({}), answer: runViewSchema },
  /** Opens a result whose text the window holds: a file that was dropped onto it. Rejects with RESULT_UNREADABLE. */
  'results:open-text': {
    params: z.strictObject({ name: shortText, text: z.string().max(MOST_DROPPED) }),
    answer: runViewSchema,
  },
  'results:load': { params: z.strictObject({ runId: shortText }), answer: runViewSchema },
  /** Reads what sysbench printed and keeps its figures. */
  'imports:parse-and-store': {
    params: z.strictObject({ text: z.string().max(MOST_DROPPED), name: shortText.min(1) }),
    answer: importedFileSchema,
  },
  'imports:load': { params: z.strictObject({ importId: shortText }), answer: importedFileSchema },
} as const;

export const mainResultRequests = {
  /** Asks for a result file and opens it; null when the user cancels. */
  'results:open': { params: z.strictObject({}), answer: runViewSchema.nullable() },
  /**
   * Opens the result file that the app was started with, or that a second start handed over; null when there is none.
   */
  'results:open-given': { params: z.strictObject({}), answer: runViewSchema.nullable() },
  /** Asks for a file that sysbench printed and imports it; null when the user cancels. */
  'imports:open-file': { params: z.strictObject({}), answer: importedFileSchema.nullable() },
} as const;

export const internalResultRequests = {
  /** Reads and keeps a result file, so that it can be exported like one of ours. */
  'core:open-result': { params: z.strictObject({ path: pathText }), answer: runViewSchema },
  'core:import-file': { params: z.strictObject({ path: pathText }), answer: importedFileSchema },
} as const;

/** All finished runs and imports, and what people do with them. Ids are those of runs or of imports. */

const byId = z.strictObject({ id: shortText });

export const coreHistoryRequests = {
  /** The latest first. */
  'history:list': { params: z.strictObject({}), answer: z.array(historyEntrySchema) },
  /** Changes title or note; the answer is all of them. */
  'history:annotate': {
    params: z.strictObject({
      id: shortText,
      change: annotationsSchema.omit({ shared: true }).partial().strict(),
    }),
    answer: annotationsSchema,
  },
  /** Whether a run is one of the history, or only a result file that was opened. */
  'history:has': { params: byId, answer: z.boolean() },
  /** Keeps a result that was opened from a file. */
  'history:keep': { params: byId, answer: nothing },
} as const;

export const mainHistoryRequests = {
  /** Moves a result to the system's trash, or deletes it for good. False: there is no trash to move it to. */
  'history:delete': { params: byId.extend({ forGood: z.boolean() }), answer: z.boolean() },
} as const;

export const internalHistoryRequests = {
  /** The files and folders of a result that may be deleted now. */
  'core:history-files': { params: byId, answer: z.array(pathText) },
  'core:history-remove': { params: byId, answer: nothing },
} as const;
