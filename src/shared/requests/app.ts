import * as z from 'zod';
import { settingsSchema } from '../model/settings.ts';
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
});

const settingsAnswerSchema = z.object({
  settings: settingsSchema,
  /** BCP 47 tag of the language that the system is set to. */
  systemLanguage: z.string(),
});

export const mainAppRequests = {
  'app:info': { params: z.strictObject({}), answer: appInfoSchema },
  'settings:get': { params: z.strictObject({}), answer: settingsAnswerSchema },
  /** Changes some of the settings and keeps them; the answer is all of them. */
  'settings:change': {
    params: z.strictObject({ change: settingsSchema.partial() }),
    answer: settingsAnswerSchema,
  },
  /** Puts text on the clipboard: the page itself has no permission to. */
  'clipboard:write-text': {
    params: z.strictObject({ text: z.string().max(MOST_COPIED) }),
    answer: nothing,
  },
} as const;

export const internalAppRequests = {
  /** The settings have changed; what runs already goes on as it began. */
  'core:settings': { params: z.strictObject({ settings: settingsSchema }), answer: nothing },
  /** Stops whatever runs and cleans up, before the app quits. */
  'core:shut-down': { params: z.strictObject({}), answer: nothing },
} as const;
