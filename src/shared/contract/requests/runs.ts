import * as z from 'zod';
import { errorDataSchema } from '../../errors.ts';
import { whatIsLeftSchema } from '../../model/leftovers.ts';
import { runtimeReportSchema } from '../../model/passport.ts';
import { consentsSchema, planModeSchema, planSchema } from '../../model/plan.ts';
import { runStateSchema } from '../../model/run-state.ts';
import { databaseChangeSchema } from '../../model/database.ts';
import { none, nothing, pathText, presetText, shortText } from './limits.ts';
import { annotationsSchema, historyPageSchema, recentRunSchema } from '../../model/history-entry.ts';

/** Characters of a dropped file; larger files are opened by path. */
export const MOST_DROPPED = 64 * 1024 * 1024;

const byId = z.strictObject({ id: shortText });

export const core = {
  'runtimes:look': {
    params: z.strictObject({
      preferId: shortText.optional(),
      /** Only this machine is searched, for polling. */
      nearby: z.boolean().optional(),
    }),
    answer: runtimeReportSchema,
  },
  'plan:make': {
    params: z.strictObject({
      presetId: shortText,
      presetText: presetText.optional(),
      /** `isStart`: kinds of start instead of changes. */
      database: z
        .strictObject({ key: pathText, service: shortText, isStart: z.boolean().optional() })
        .optional(),
      ownTask: shortText.optional(),
      mode: planModeSchema,
      image: shortText.optional(),
      /** An image next to `image`, with any task. */
      comparedImage: shortText.optional(),
      untilConclusiveMinutes: z.number().min(0.5).max(10_080).optional(),
      runtimeId: shortText.optional(),
    }),
    answer: planSchema,
  },
  /** `together`: these changes of the database instead of the plan's. */
  'plan:repeat': {
    params: z.strictObject({
      runId: shortText,
      together: z.strictObject({ ...databaseChangeSchema.shape, level: shortText }).optional(),
      runtimeId: shortText.optional(),
    }),
    answer: planSchema,
  },
  'plan:continue': {
    params: z.strictObject({ runId: shortText, runtimeId: shortText.optional() }),
    answer: z.object({ plan: planSchema, left: whatIsLeftSchema }),
  },
  /** `consents` must include all that the plan asks for. */
  'run:start': {
    params: z.strictObject({ planId: shortText, consents: consentsSchema.default([]) }),
    answer: z.object({ runId: z.string() }),
  },
  'run:continuable': { params: z.strictObject({ runId: shortText }), answer: z.boolean() },
  /** Null: the result is on disk, or unknown. A run that is ending is awaited. */
  'run:save-error': { params: z.strictObject({ runId: shortText }), answer: errorDataSchema.nullable() },
  'run:stop': { params: none, answer: nothing },
  'run:pause': { params: none, answer: nothing },
  'run:resume': { params: none, answer: nothing },
  'run:skip': { params: none, answer: nothing },
  'run:current': { params: none, answer: runStateSchema.nullable() },
  'images:local': { params: none, answer: z.array(z.string()) },
  'results:recent': { params: none, answer: z.array(recentRunSchema) },
  'results:example': { params: none, answer: runStateSchema },
  'results:open-text': {
    params: z.strictObject({ name: shortText, text: z.string().max(MOST_DROPPED) }),
    answer: runStateSchema,
  },
  'results:load': { params: z.strictObject({ runId: shortText }), answer: runStateSchema },
  'history:list': { params: z.strictObject({ before: shortText.nullable() }), answer: historyPageSchema },
  'history:annotate': {
    params: z.strictObject({
      id: shortText,
      change: annotationsSchema.omit({ shared: true }).partial().strict(),
    }),
    answer: annotationsSchema,
  },
  'history:has': { params: byId, answer: z.boolean() },
  'history:keep': { params: byId, answer: nothing },
} as const;

export const main = {
  /** The result file of this or a second start; null without one. */
  'results:open-given': { params: none, answer: runStateSchema.nullable() },
  'history:delete': { params: byId.extend({ forGood: z.boolean() }), answer: z.boolean() },
} as const;

export const file = {
  'results:open': { params: none, answer: runStateSchema.nullable() },
  /** One result file, or a folder's. `name`: the file's, if Whalemark didn't choose it. */
  'results:add': {
    params: z.strictObject({ from: z.enum(['file', 'folder']) }),
    answer: z
      .object({
        results: z.array(z.object({ name: z.string().nullable(), run: runStateSchema })),
        unread: z.array(z.string()),
      })
      .nullable(),
  },
} as const;

export const internal = {
  'core:history-folder': { params: byId, answer: pathText },
  'core:history-remove': { params: byId, answer: nothing },
} as const;
