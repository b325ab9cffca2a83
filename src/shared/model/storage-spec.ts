import * as z from 'zod';
import { complaint } from '../field-problems.ts';
import { kindsOf } from '../kinds/kind.ts';
import { storageOptionsSchema } from '../kinds/storage-options.ts';
import { STORAGES } from '../kinds/storages.ts';
import type { MessageCode } from '../message.ts';
import { STORAGE_KINDS } from './names.ts';

const storageObjectSchema = z
  .strictObject({
    kind: z.enum(STORAGE_KINDS).describe('Where the datadir lives.'),
    name: z.string().min(1).optional().describe("For people, in place of the kind's own name."),
    ...storageOptionsSchema.shape,
  })
  .superRefine((storage, context) => {
    const { options = [], needsOption = false } = STORAGES[storage.kind];
    const given = kindsOf(storageOptionsSchema.shape).filter((name) => storage[name] !== undefined);
    for (const name of given.filter((one) => !options.includes(one))) {
      const kinds = STORAGE_KINDS.filter((kind) => STORAGES[kind].options?.includes(name)).join(', ');
      context.addIssue(complaint([name], 'preset.optionOf', { kinds }));
    }
    for (const option of options) {
      if (needsOption && storage[option] === undefined) {
        context.addIssue(complaint([option], 'preset.optionNeeded', { kind: storage.kind, option }));
      }
    }
  });
export type StorageSpec = z.infer<typeof storageObjectSchema>;

/** A kind, or a kind with options. */
export const storageSpecSchema = z.union(
  [z.enum(STORAGE_KINDS).transform((kind): StorageSpec => ({ kind })), storageObjectSchema],
  {
    error: (issue) =>
      typeof issue.input === 'string' ? ('preset.storageKinds' satisfies MessageCode) : undefined,
  },
);
