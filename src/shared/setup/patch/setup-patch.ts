import type { SetupChange } from '../../model/setup.ts';
import { SERVER_CHANGES, type ServerChangeId } from '../server-changes.ts';

/** Stub: the merge takes the real one. */
export function lossOf({ factor, level }: SetupChange): (typeof SERVER_CHANGES)[ServerChangeId]['loses'] {
  return factor === 'server' && Object.hasOwn(SERVER_CHANGES, level)
    ? SERVER_CHANGES[level as ServerChangeId].loses
    : 'nothing';
}
