import * as z from 'zod';

/** Languages that the texts exist in. English is the reference: its files define the keys. */
export const LANGUAGES = ['en', 'zh-CN'] as const;
export type Language = (typeof LANGUAGES)[number];
/** Each in itself. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', 'zh-CN': '简体中文' };

export const THEMES = ['system', 'light', 'dark'] as const;

/**
 * What the user has chosen once for all. Every field has a default, and one that can't be read falls back to it: a
 * settings file of another version never keeps the app from starting.
 */
export const settingsSchema = z.object({
  /** `system`: the system's language if the texts exist in it, else English. */
  language: z
    .enum(['system', ...LANGUAGES])
    .catch('system')
    .default('system'),
  theme: z.enum(THEMES).catch('system').default('system'),
  /** Id of the runtime that is used if it is usable; null: the one that Docker's own command line would use. */
  runtimeId: z.string().max(1024).nullable().catch(null).default(null),
  /** How thorough a plan is at first. */
  mode: z.enum(['full', 'short']).catch('full').default('full'),
  /** Whether datasets are kept between runs. */
  keepDatasets: z.boolean().catch(true).default(true),
  /** Whether the end of a run is told by the system when another window is in front. */
  notify: z.boolean().catch(true).default(true),
});
export type Settings = z.infer<typeof settingsSchema>;

type Fields = typeof settingsSchema.shape;
type Value<K extends keyof Fields> = ReturnType<ReturnType<Fields[K]['unwrap']>['unwrap']>;

/**
 * Some of the settings. Not `settingsSchema.partial()`: that fills in the defaults of whatever is not named, so that
 * one change would undo all others. A value that a setting can't have is refused here.
 */
export const settingsChangeSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(settingsSchema.shape).map(([name, field]) => [name, field.unwrap().unwrap().optional()]),
  ) as { [K in keyof Fields]: z.ZodOptional<Value<K>> },
);

export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});

/** What was wrong with settings.json when the app started; for what it says the defaults hold. */
export const settingsProblemSchema = z.discriminatedUnion('kind', [
  /** It could not be read at all, and was kept under another name. */
  z.object({ kind: z.literal('file'), keptAs: z.string() }),
  z.object({ kind: z.literal('field'), field: z.string(), value: z.string() }),
]);
export type SettingsProblem = z.infer<typeof settingsProblemSchema>;
