import * as z from 'zod';
import { diagnosticsPartSchema } from '../../model/diagnostics-part.ts';
import { nothing } from './nothing.ts';

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
