import { changeId, type DatabaseChange, type DatabaseOverride, partsOf } from '../model/database.ts';
import { type Loss, lossesOfOptions, lossesOfStorage } from '../options/losses.ts';
import { type StorageKind, STORAGES } from '../kinds/storages.ts';
import { SERVER_CHANGES, type ServerChangeId } from './database-preset.ts';

export function lossesOfChange(change: DatabaseChange): Loss[] {
  return partsOf(change).flatMap(({ factor, level }) => {
    if (factor === 'storage' && Object.hasOwn(STORAGES, level)) return lossesOfStorage(level as StorageKind);
    const isServer = factor === 'server' && Object.hasOwn(SERVER_CHANGES, level);
    return isServer ? lossesOfOptions(SERVER_CHANGES[level as ServerChangeId].options) : [];
  });
}

/** Memory is only offered for databases of tests, which need nothing after a stop. */
export function keepsWhatIsNeeded(change: DatabaseChange): boolean {
  return lossesOfChange(change).every((loss) => loss === 'memory');
}

/** What can be made together: the best of each factor, all of the server; none that loses data, and at least two. */
export function combinationOf(overrides: readonly DatabaseOverride[]): DatabaseChange | undefined {
  const won = overrides
    .map(({ change }) => change)
    .filter((change) => change.factor !== 'together' && lossesOfChange(change).length === 0);
  const parts = won.filter(
    ({ factor }, index) => factor === 'server' || won.findIndex((one) => one.factor === factor) === index,
  );
  return parts.length < 2 ? undefined : { factor: 'together', level: parts.map(changeId).join('+') };
}
