import * as z from 'zod';
import { licenceSchema } from '../../model/licences.ts';
import { settingsChangeSchema, settingsProblemSchema, settingsSchema } from '../../model/settings.ts';
import { nothing } from './nothing.ts';

/** The app itself: versions, settings and the clipboard. */

/** More than any table of ours; no text of a page is to fill the memory of other programs. */
const MOST_COPIED = 5 * 2 ** 20;

const appInfoSchema = z.object({
  version: z.string(),
  electron: z.string(),
  chrome: z.string(),
  node: z.string(),
  platform: z.string(),
  /** Started by `npm start` with an Electron that gets no security fixes any more. */
  isOutdated: z.boolean(),
});

/** Menu commands that are there only while they make sense. */
export const RUN_COMMANDS = ['start-run', 'pause-run', 'skip-trial', 'stop-run'] as const;
export type RunCommand = (typeof RUN_COMMANDS)[number];

const settingsAnswerSchema = z.object({
  settings: settingsSchema,
  problems: z.array(settingsProblemSchema),
  /** BCP 47 tag of the language that the system is set to. */
  systemLanguage: z.string(),
});

export const coreAppRequests = {
  /** What ships and is not ours, by name. */
  'app:licences': { params: z.strictObject({}), answer: z.array(licenceSchema) },
} as const;

export const mainAppRequests = {
  'app:info': { params: z.strictObject({}), answer: appInfoSchema },
  /** Whether the machine runs on its battery now; later changes come as events. */
  'app:power': { params: z.strictObject({}), answer: z.object({ onBattery: z.boolean() }) },
  'settings:get': { params: z.strictObject({}), answer: settingsAnswerSchema },
  /** Changes some of the settings and keeps them; the answer is all of them. */
  'settings:change': {
    params: z.strictObject({ change: settingsChangeSchema }),
    answer: settingsAnswerSchema,
  },
  /** Puts text on the clipboard: the page itself has no permission to. */
  'clipboard:write-text': {
    params: z.strictObject({ text: z.string().max(MOST_COPIED) }),
    answer: nothing,
  },
  /** Which commands of the menu make sense now; the others are greyed. */
  'menu:offer': {
    params: z.strictObject({ commands: z.array(z.enum(RUN_COMMANDS)).max(RUN_COMMANDS.length) }),
    answer: nothing,
  },
} as const;

export const internalAppRequests = {
  /** The settings have changed; what runs already goes on as it began. */
  'core:settings': { params: z.strictObject({ settings: settingsSchema }), answer: nothing },
  /** Stops whatever runs and cleans up, before the app quits. */
  'core:shut-down': { params: z.strictObject({}), answer: nothing },
} as const;
