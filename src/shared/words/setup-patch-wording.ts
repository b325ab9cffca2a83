import type { SetupPatch } from '../model/setup.ts';
import type { Translate } from './i18n.ts';

/** Stub: the merge takes the real one. */
export function patchText({ diff }: SetupPatch, t: Translate): string {
  void t;
  return diff;
}
