import {
  changeId,
  type DatabaseChange,
  type DatabaseOverride,
  type DatabaseReference,
  partsOf,
} from '../model/database.ts';
import { type Loss, lossesOfOptions, lossesOfStorage } from '../options/losses.ts';
import { type StorageKind, STORAGES } from '../kinds/storages.ts';
import { baseOf } from './file-names.ts';
import { SERVER_CHANGES, type ServerChangeId } from './database-preset.ts';

export function lossesOfChange(change: DatabaseChange): Loss[] {
  return partsOf(change).flatMap(({ factor, level }) => {
    if (factor === 'storage' && Object.hasOwn(STORAGES, level)) return lossesOfStorage(level as StorageKind);
    const isServer = factor === 'server' && Object.hasOwn(SERVER_CHANGES, level);
    return isServer ? lossesOfOptions(SERVER_CHANGES[level as ServerChangeId].options) : [];
  });
}

/** Names for tests, such as "db-test", "testdb", and "compose.test.yaml". */
const TEST =
  /(?:^|[^a-z])tests?(?:ing)?(?:[^a-z]|$)|^tests?(?:db|mysql|mariadb)|(?:db|mysql|mariadb)tests?$/i;

export function isForTests({ service, source }: Pick<DatabaseReference, 'service' | 'source'>): boolean {
  return [service, ...source.files.map(baseOf)].some((name) => TEST.test(name));
}

/** Only tests need no data later. */
export function keepsWhatIsNeeded(change: DatabaseChange): boolean {
  return lossesOfChange(change).every((loss) => loss === 'memory');
}

/** The best change of each factor and all of the server, without data loss; undefined: fewer than two. */
export function combinationOf(overrides: readonly DatabaseOverride[]): DatabaseChange | undefined {
  const won = overrides
    .map(({ change }) => change)
    .filter((change) => change.factor !== 'together' && lossesOfChange(change).length === 0);
  const parts = won.filter(
    ({ factor }, index) => factor === 'server' || won.findIndex((one) => one.factor === factor) === index,
  );
  return parts.length < 2 ? undefined : { factor: 'together', level: parts.map(changeId).join('+') };
}
