import * as z from 'zod';
import { licenceSchema } from '../../model/licences.ts';
import { settingsChangeSchema, settingsProblemSchema, settingsSchema } from '../../model/settings.ts';
import { nothing, pathText, shortText } from './limits.ts';
import { diagnosticsPartSchema } from '../../model/diagnostics-part.ts';
import { leftoverSchema, leftThingSchema } from '../../model/leftovers.ts';
import { errorDataSchema } from '../../errors.ts';
import { FLAVOURS } from '../../model/names.ts';
import { workloadSchema } from '../../model/workload.ts';
import { shareOptionsSchema, sharingSchema, EXPORT_FORMATS } from '../../model/sharing.ts';

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

/** What goes into a bug report: seen before it is copied. */

export const mainDiagnosticsRequests = {
  /** The whole text, as it stands now. It can be had without a core. */
  'diagnostics:preview': { params: z.strictObject({}), answer: z.object({ text: z.string() }) },
  /** Opens the folder of the log in the system's file manager. It takes no path: this folder and no other. */
  'diagnostics:open-log-folder': { params: z.strictObject({}), answer: nothing },
} as const;

export const internalDiagnosticsRequests = {
  /** What the core knows: the engine, kept datasets, the last run. */
  'core:diagnostics': { params: z.strictObject({}), answer: z.array(diagnosticsPartSchema) },
} as const;

/** What Whalemark keeps on this machine and on the engine in use: seen, and taken away. */

const dataFolderSchema = z.object({
  path: z.string(),
  bytes: z.number(),
});

/** A server image, or one of our own client images, that is on the engine. */
const localImagesSchema = z.object({
  servers: z.array(
    z.object({ reference: z.string(), flavour: z.enum(FLAVOURS), version: z.string(), bytes: z.number() }),
  ),
  clients: z.array(z.object({ id: z.string(), reference: z.string(), bytes: z.number() })),
});
export type LocalImages = z.infer<typeof localImagesSchema>;

const keptDatasetsSchema = z.object({
  /** False: WHALEMARK_DATASETS=off forbids to keep any, whatever the settings say. */
  allowed: z.boolean(),
  datasets: z.array(
    z.object({
      volume: z.string(),
      source: z.object({ image: z.string(), workload: workloadSchema }),
      bytes: z.number(),
      /** ms since 1970. */
      lastUsedAt: z.number(),
    }),
  ),
  limits: z.object({ datasets: z.number().int(), bytes: z.number() }),
});
export type KeptDatasets = z.infer<typeof keptDatasetsSchema>;

const failedSchema = z.array(z.object({ name: z.string(), error: errorDataSchema }));

const sweptSchema = z.object({ removed: z.array(leftThingSchema), failed: failedSchema });

export const coreHousekeepingRequests = {
  /** The folder that app and terminal share, and how much is in it. */
  'housekeeping:data-folder': { params: z.strictObject({}), answer: dataFolderSchema },
  'housekeeping:images': { params: z.strictObject({}), answer: localImagesSchema },
  /** Removes our client images; the next run that needs one builds it again. Rejects with BUSY while a run goes on. */
  'housekeeping:remove-client-images': {
    params: z.strictObject({}),
    answer: z.object({ removed: z.array(z.string()), failed: failedSchema }),
  },
  'housekeeping:datasets': { params: z.strictObject({}), answer: keptDatasetsSchema },
  /** Removes every kept dataset from the engine in use; `kept` are those that a run uses at this moment. */
  'housekeeping:clear-datasets': {
    params: z.strictObject({}),
    answer: z.object({ removed: z.array(z.string()), kept: z.array(z.string()) }),
  },
  /** What runs left, but nothing of a process that certainly lives. */
  'housekeeping:leftovers': { params: z.strictObject({}), answer: z.array(leftoverSchema) },
  /** Removes what dead processes left, and what the user has agreed to: `consent` of leftovers. */
  'housekeeping:remove-leftovers': {
    params: z.strictObject({ consents: z.array(shortText).max(1000) }),
    answer: sweptSchema,
  },
} as const;

export const mainHousekeepingRequests = {
  /** Opens the data folder in the system's file manager. It takes no path: this folder and no other. */
  'housekeeping:open-data-folder': { params: z.strictObject({}), answer: nothing },
} as const;

/** Giving a result away: what goes out, to a file or to the clipboard. */

const exportRequestSchema = shareOptionsSchema.extend({ runId: shortText, format: z.enum(EXPORT_FORMATS) });
export type ExportRequest = z.infer<typeof exportRequestSchema>;

/** What can be pasted somewhere. */
const COPY_FORMATS = ['png', 'md'] as const;
export type CopyFormat = (typeof COPY_FORMATS)[number];

const sharePreviewSchema = z.object({
  content: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('picture'), url: z.string().startsWith('data:image/png;base64,') }),
    /** `isWhole`: nothing had to be cut off at its end. */
    z.object({ kind: z.literal('text'), text: z.string(), isWhole: z.boolean() }),
  ]),
  sharing: sharingSchema,
});
export type SharePreview = z.infer<typeof sharePreviewSchema>;

export const coreShareRequests = {
  /** What `results:export` would write with the same parameters. */
  'share:preview': { params: exportRequestSchema, answer: sharePreviewSchema },
} as const;

export const mainShareRequests = {
  /** Asks where to save and writes the export; the answer is the file's name, or null when the user cancels. */
  'results:export': { params: exportRequestSchema, answer: z.object({ fileName: z.string() }).nullable() },
  /** Puts the picture or the Markdown of a run into the clipboard. */
  'share:copy': { params: exportRequestSchema.extend({ format: z.enum(COPY_FORMATS) }), answer: nothing },
} as const;

export const internalShareRequests = {
  'core:export': { params: exportRequestSchema.extend({ path: pathText }), answer: nothing },
  /** All bytes of an export. */
  'core:export-bytes': {
    params: exportRequestSchema,
    answer: z.object({ bytes: z.instanceof(Uint8Array) }),
  },
} as const;
