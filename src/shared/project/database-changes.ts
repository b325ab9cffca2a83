import { changeId, type DatabaseChange, type DatabasePatch, partsOf } from '../model/database.ts';
import { SERVER_CHANGES, type ServerChangeId } from './database-preset.ts';

type Loss = (typeof SERVER_CHANGES)[ServerChangeId]['loses'];

/** The first of them, if several are made together. */
export function lossOf(change: DatabaseChange): Loss {
  const losses = partsOf(change).map(({ factor, level }): Loss => {
    const isKnown = factor === 'server' && Object.hasOwn(SERVER_CHANGES, level);
    return isKnown ? SERVER_CHANGES[level as ServerChangeId].loses : 'nothing';
  });
  return losses.find((loss) => loss !== 'nothing') ?? 'nothing';
}

/** What can be made together: the best of each factor, all of the server; none that loses data, and at least two. */
export function combinationOf(patches: readonly DatabasePatch[]): DatabaseChange | undefined {
  const won = patches
    .map(({ change }) => change)
    .filter(
      (change) => change.factor !== 'together' && change.level !== 'tmpfs' && lossOf(change) === 'nothing',
    );
  const parts = won.filter(
    ({ factor }, index) => factor === 'server' || won.findIndex((one) => one.factor === factor) === index,
  );
  return parts.length < 2 ? undefined : { factor: 'together', level: parts.map(changeId).join('+') };
}
