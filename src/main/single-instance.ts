import type { App } from 'electron';
import * as z from 'zod';
import { resultFileIn } from './given-file.ts';

const handedOverSchema = z.object({ file: z.string().optional() });

/**
 * Makes sure that one app uses a data folder at a time: two would show and sweep the same runs. The lock belongs to
 * `userData`, so apps with data folders of their own don't see each other. False for the second one, which has then
 * handed over its file and must end; `onSecond` is called in the first.
 */
export function becomeOnlyInstance(app: App, onSecond: (file: string | undefined) => void): boolean {
  const file = resultFileIn(process.argv, process.cwd());
  // What the second one was started with comes in an order of Chromium's own, so its file comes by itself.
  if (!app.requestSingleInstanceLock({ file })) return false;
  app.on('second-instance', (_event, _argv, _directory, data) => {
    onSecond(handedOverSchema.safeParse(data).data?.file);
  });
  return true;
}
