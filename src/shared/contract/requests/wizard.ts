import * as z from 'zod';
import { messageSchema } from '../../message.ts';
import { DISTRIBUTIONS, DRIVER_KINDS, OLTP_KINDS, PATH_KINDS, STORAGE_KINDS } from '../../model/names.ts';
import { CONSENTS, planSchema } from '../../model/plan.ts';
import { pathText, presetText, shortText } from './limits.ts';

/** What the wizard asks while a comparison takes shape. */

const wizardSupportSchema = z.object({
  /** What this runtime can't run, whatever the load is; a combination that is not named can run. */
  refused: z.array(
    z.object({ storage: z.enum(STORAGE_KINDS), path: z.enum(PATH_KINDS), reason: messageSchema }),
  ),
  /** Why sysbench can't run the draft's workload at all; null when it can. */
  sysbench: messageSchema.nullable(),
});
export type WizardSupport = z.infer<typeof wizardSupportSchema>;

export const coreWizardRequests = {
  /** What the runtime can't do of all that a draft with this server and this load could ask for. */
  'wizard:support': {
    params: z.strictObject({
      image: shortText,
      /** The server program on this machine; without it one is looked for. */
      nativeBinary: pathText.optional(),
      driver: z.enum(DRIVER_KINDS),
      workload: z.enum([...OLTP_KINDS, 'tpcc']),
      distribution: z.enum(DISTRIBUTIONS),
      runtimeId: shortText.optional(),
    }),
    answer: wizardSupportSchema,
  },
  /** What a draft comes to, in its full form. Such a plan is only to look at: it can't be started. */
  'wizard:plan': {
    params: z.strictObject({
      text: presetText,
      runtimeId: shortText.optional(),
      /** `external`: the address of the external server was typed into the form. */
      consents: z.array(z.enum(CONSENTS)).max(CONSENTS.length).optional(),
    }),
    answer: planSchema,
  },
} as const;
