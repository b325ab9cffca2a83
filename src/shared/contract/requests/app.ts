import * as z from 'zod';
import { settingsChangeSchema, settingsProblemSchema, settingsSchema } from '../../model/settings.ts';
import { none, nothing, savedSchema, shortText } from './limits.ts';
import { leftoverSchema, leftThingSchema } from '../../model/leftovers.ts';
import { errorDataSchema } from '../../errors.ts';
import { FLAVORS } from '../../model/names.ts';
import { workloadSchema } from '../../model/workload.ts';
import { shareOptionsSchema, sharingSchema, EXPORT_FORMATS } from '../../model/sharing.ts';

/** Redacted Markdown list items in English, without dashes. */
const diagnosticsPartSchema = z.object({ title: z.string(), lines: z.array(z.string()) });
export type DiagnosticsPart = z.infer<typeof diagnosticsPartSchema>;

export const licenseSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  source: z.string().nullable(),
  text: z.string(),
});
export type License = z.infer<typeof licenseSchema>;

const MOST_COPIED = 5 * 2 ** 20;

const appInfoSchema = z.object({
  version: z.string(),
  electron: z.string(),
  chrome: z.string(),
  node: z.string(),
  platform: z.string(),
  /** Electron gets no more security fixes on an old system. */
  isOutdated: z.boolean(),
});

export const RUN_COMMANDS = ['start-run', 'pause-run', 'skip-trial', 'stop-run'] as const;
export type RunCommand = (typeof RUN_COMMANDS)[number];

const settingsAnswerSchema = z.object({
  settings: settingsSchema,
  problems: z.array(settingsProblemSchema),
  systemLanguage: z.string(),
});

const dataFolderSchema = z.object({ path: z.string(), bytes: z.number() });

const localImagesSchema = z.object({
  servers: z.array(
    z.object({ reference: z.string(), flavor: z.enum(FLAVORS), version: z.string(), bytes: z.number() }),
  ),
  clients: z.array(z.object({ id: z.string(), reference: z.string(), bytes: z.number() })),
});
export type LocalImages = z.infer<typeof localImagesSchema>;

const keptDatasetsSchema = z.object({
  /** False: WHALEMARK_DATASETS=off overrides the settings. */
  allowed: z.boolean(),
  datasets: z.array(
    z.object({
      volume: z.string(),
      source: z.object({ image: z.string(), workload: workloadSchema }),
      bytes: z.number(),
      lastUsedAt: z.number(),
    }),
  ),
  limits: z.object({ datasets: z.number().int(), bytes: z.number() }),
});
export type KeptDatasets = z.infer<typeof keptDatasetsSchema>;

const failedSchema = z.array(z.object({ name: z.string(), error: errorDataSchema }));

const sweptSchema = z.object({ removed: z.array(leftThingSchema), failed: failedSchema });

const exportRequestSchema = shareOptionsSchema.extend({ runId: shortText, format: z.enum(EXPORT_FORMATS) });
export type ExportRequest = z.infer<typeof exportRequestSchema>;

const COPY_FORMATS = ['png', 'md'] as const;
export type CopyFormat = (typeof COPY_FORMATS)[number];

const sharePreviewSchema = z.object({
  content: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('picture'), url: z.string().startsWith('data:image/png;base64,') }),
    z.object({ kind: z.literal('text'), text: z.string(), isWhole: z.boolean() }),
  ]),
  sharing: sharingSchema,
});
export type SharePreview = z.infer<typeof sharePreviewSchema>;

export const core = {
  'app:licenses': { params: none, answer: z.array(licenseSchema) },
  'housekeeping:data-folder': { params: none, answer: dataFolderSchema },
  'housekeeping:images': { params: none, answer: localImagesSchema },
  'housekeeping:remove-client-images': {
    params: none,
    answer: z.object({ removed: z.array(z.string()), failed: failedSchema }),
  },
  'housekeeping:datasets': { params: none, answer: keptDatasetsSchema },
  'housekeeping:clear-datasets': {
    params: none,
    answer: z.object({ removed: z.array(z.string()), remaining: z.array(z.string()) }),
  },
  'housekeeping:leftovers': { params: none, answer: z.array(leftoverSchema) },
  'housekeeping:remove-leftovers': {
    params: z.strictObject({ consents: z.array(shortText).max(1000) }),
    answer: sweptSchema,
  },
  'share:preview': { params: exportRequestSchema, answer: sharePreviewSchema },
} as const;

export const main = {
  'app:info': { params: none, answer: appInfoSchema },
  'app:power': { params: none, answer: z.object({ onBattery: z.boolean() }) },
  'settings:get': { params: none, answer: settingsAnswerSchema },
  'settings:change': {
    params: z.strictObject({ change: settingsChangeSchema }),
    answer: settingsAnswerSchema,
  },
  'clipboard:write-text': { params: z.strictObject({ text: z.string().max(MOST_COPIED) }), answer: nothing },
  'menu:offer': {
    params: z.strictObject({ commands: z.array(z.enum(RUN_COMMANDS)).max(RUN_COMMANDS.length) }),
    answer: nothing,
  },
  'diagnostics:preview': { params: none, answer: z.object({ text: z.string() }) },
  'diagnostics:open-log-folder': { params: none, answer: nothing },
  'housekeeping:open-data-folder': { params: none, answer: nothing },
  'share:copy': { params: exportRequestSchema.extend({ format: z.enum(COPY_FORMATS) }), answer: nothing },
} as const;

export const file = {
  'results:export': { params: exportRequestSchema, answer: savedSchema.nullable() },
} as const;

export const internal = {
  'core:settings': { params: z.strictObject({ settings: settingsSchema }), answer: nothing },
  'core:shut-down': { params: none, answer: nothing },
  'core:diagnostics': { params: none, answer: z.array(diagnosticsPartSchema) },
  'core:export-bytes': { params: exportRequestSchema, answer: z.object({ bytes: z.instanceof(Uint8Array) }) },
} as const;
