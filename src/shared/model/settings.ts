import * as z from 'zod';
import { PLACEMENTS } from './names.ts';

export const LANGUAGES = ['en', 'zh-CN'] as const;
export type Language = (typeof LANGUAGES)[number];
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', 'zh-CN': '简体中文' };

export const THEMES = ['system', 'light', 'dark'] as const;

/** Fields fall back to defaults, so settings of another version never prevent a start. */
export const settingsSchema = z.object({
  /** `system`: the system's language if it has texts, otherwise English. */
  language: z
    .enum(['system', ...LANGUAGES])
    .catch('system')
    .default('system'),
  theme: z.enum(THEMES).catch('system').default('system'),
  /** The preferred engine; null: that of Docker's CLI. */
  runtimeId: z.string().max(1024).nullable().catch(null).default(null),
  keepDatasets: z.boolean().catch(true).default(true),
  /** The user's last answer. */
  appPlace: z.enum(PLACEMENTS).nullable().catch(null).default(null),
  notify: z.boolean().catch(true).default(true),
});
export type Settings = z.infer<typeof settingsSchema>;

type Fields = typeof settingsSchema.shape;
type Value<K extends keyof Fields> = ReturnType<ReturnType<Fields[K]['unwrap']>['unwrap']>;

/** `settingsSchema.partial()` would fill in defaults, and so undo other settings. */
export const settingsChangeSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(settingsSchema.shape).map(([name, field]) => [name, field.unwrap().unwrap().optional()]),
  ) as { [K in keyof Fields]: z.ZodOptional<Value<K>> },
);

export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});

export const settingsProblemSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), keptAs: z.string() }),
  z.object({ kind: z.literal('field'), field: z.string(), value: z.string() }),
]);
export type SettingsProblem = z.infer<typeof settingsProblemSchema>;
