import { SERVER_PORT } from '../../kinds/paths.ts';
import { isInMemory, losesData } from '../../kinds/storages.ts';
import { msg, type Message } from '../../message.ts';
import {
  type DatabaseChange,
  type DatabasePatch,
  type DatabasePath,
  type DatabaseService,
  type DatabaseSource,
  partsOf,
} from '../../model/database.ts';
import { lossesOfChange } from '../database-changes.ts';
import { folderOf } from '../file-names.ts';
import { newestOfLine, serverImage } from '../image.ts';
import { movesOf, patchName } from './moves.ts';
import type { Project } from '../project.ts';
import { stackOf } from '../stacks.ts';
import { isWithin } from '../storage.ts';
import {
  changeOptions,
  commandFile,
  onHostNetwork,
  onImage,
  withoutLimits,
  type PathFacts,
} from './server-change.ts';
import { Refusal, refused, ServiceText } from './service-text.ts';
import { SERVER_CHANGES, type ServerChangeId } from '../database-preset.ts';
import { inMemory, onStorage } from './storage-change.ts';
import { TextEdits } from './text-edits.ts';
import { unifiedDiff } from './unified-diff.ts';

export interface PatchRequest {
  project: Project;
  source: DatabaseSource;
  service: Pick<DatabaseService, 'name' | 'image' | 'flavor' | 'storage' | 'path' | 'otherPaths'>;
  change: DatabaseChange;
  gain: DatabasePatch['gain'];
  measured: string;
  isVm: boolean;
  /** Of the larger pool that was measured. */
  poolOptions: readonly string[];
}

/** Or why there is none. */
export function databasePatch(request: PatchRequest): DatabasePatch | { refusal: Message } {
  const { project, source, service, change, gain, measured, isVm, poolOptions } = request;
  const paths = [service.path, ...service.otherPaths];
  const { datadir } = service.storage;
  const volume = serverImage(service.image)?.volume ?? datadir;
  const changed = changedText(project, service.name, change, {
    datadir,
    home: isWithin(datadir, volume) ? volume : datadir,
    port: publishedPort(paths),
    client: paths.find(({ client }) => client !== null)?.client ?? null,
    isVm,
    poolOptions,
    isMariaDb: service.flavor === 'mariadb',
    newestImage: newestOfLine(service.image),
  });
  if ('refusal' in changed) return changed;
  const { file, diff, place, notes } = changed;
  // Compose replaces the container with its layer.
  if (place === null && service.storage.kind === 'container-layer') {
    return { refusal: msg('databasePatch.refused.layer', { service: service.name }) };
  }
  const folder = folderOf(project.input.files[0] ?? file);
  const { home = datadir } = changed;
  const fileFolder = changed.isNew === true ? folder : folderOf(file);
  const moves = movesOf({ source, service, home, folder, fileFolder, place, change });
  const official =
    measured === service.image
      ? []
      : [msg('databasePatch.note.official', { official: measured, image: service.image })];
  const own = partsOf(change).flatMap((part) => notesOf({ ...request, change: part }, paths));
  return { change, gain, file, diff, moves, notes: [...new Set([...official, ...own, ...notes])] };
}

function publishedPort(paths: readonly DatabasePath[]): number | null {
  return paths.find(({ port }) => port !== null)?.port ?? null;
}

function notesOf({ service, change, isVm }: PatchRequest, paths: readonly DatabasePath[]): Message[] {
  const { kind } = service.storage;
  const memory = isInMemory(kind) ? [msg('databasePatch.note.memory')] : [];
  switch (change.level) {
    case 'named-volume':
    case 'bind-mount':
      return [
        losesData(kind) || kind === 'anonymous-volume' || kind === 'data-container'
          ? msg('databasePatch.note.kept')
          : msg('databasePatch.note.asSafe'),
        ...memory,
        ...(kind === 'bind-mount' && isVm ? [msg('databasePatch.note.letterCase')] : []),
        change.level === 'named-volume'
          ? msg('databasePatch.note.inVolume')
          : msg('databasePatch.note.inFolder'),
      ];
    case 'tmpfs':
      return [msg('databasePatch.note.inMemory')];
    case 'host-network':
      return [
        ...memory,
        msg('databasePatch.note.isolation'),
        msg('databasePatch.note.localOnly', { address: `127.0.0.1:${publishedPort(paths) ?? SERVER_PORT}` }),
      ];
    case 'without-limits':
      return [...memory, msg('databasePatch.note.noLimits')];
    case 'newest-version':
      return [...memory, msg('databasePatch.note.upgrade')];
    default:
      return [
        ...memory,
        ...lossesOfChange(change).map((loss) =>
          msg('databasePatch.note.mayLose', { loss: msg(`loss.${loss}`) }),
        ),
      ];
  }
}

export interface DatabaseFacts extends PathFacts, Pick<PatchRequest, 'poolOptions'> {
  newestImage: string | null;
  datadir: string;
  /** The data directory, or the folder that the image declares a volume. */
  home: string;
}

export interface ChangedText {
  file: string;
  text: string;
  diff: string;
  /** Compose's name of a new place. */
  place: string | null;
  notes: Message[];
  home?: string;
  isNew?: boolean;
}

const NOTHING_MORE = { place: null, notes: [] };

type Edited = Pick<ChangedText, 'place' | 'notes' | 'home'> & { edits: TextEdits };

/** All other lines stay; or why the change isn't made. A storage's `level` is its kind. */
export function changedText(
  project: Project,
  name: string,
  change: DatabaseChange,
  facts: DatabaseFacts,
): ChangedText | { refusal: Message } {
  try {
    const service = new ServiceText(project, name);
    const options = optionsOf(change, facts);
    const [first = ''] = project.input.files;
    const isOptions = partsOf(change).every((part) => optionsOf(part, facts).length > 0);
    if (stackOf(first) === 'ddev' && isOptions) return newOptionFile(folderOf(first), change, options);
    service.home();
    const { edits, ...more } = editsOf(service, change, facts);
    const { file } = edits;
    const { text, edits: parts } = edits.result();
    const { diff, mayShowSecret } = unifiedDiff(file, parts);
    const notes = [...more.notes, ...(mayShowSecret ? [msg('databasePatch.note.secret')] : [])];
    return { file: file.source.file, text: file.mark + text, diff, ...more, notes };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.reason };
    throw error;
  }
}

/** All in one file. At one place storage comes last: its volume is declared less deep. */
function editsOf(service: ServiceText, change: DatabaseChange, facts: DatabaseFacts): Edited {
  const parts = partsOf(change).sort(
    (a, b) => Number(a.factor === 'storage') - Number(b.factor === 'storage'),
  );
  const isHost = parts.some(({ factor, level }) => factor === 'path' && level === 'host-network');
  const options = optionsOf(change, facts);
  const own = parts.filter((part) => parts.length === 1 || optionsOf(part, facts).length === 0);
  const isApart = !isHost && own.length < parts.length;
  const [first, ...others]: Edited[] = [
    ...(isApart ? [{ edits: withOptions(service, options), ...NOTHING_MORE }] : []),
    ...own.map((part) => editsOfOne(service, part, { ...facts, more: isHost ? options : [] })),
  ];
  if (first === undefined) throw refused('noPatch');
  return others.reduce((all, one) => {
    all.edits.include(one.edits);
    const moved = one.home === undefined ? {} : { home: one.home };
    return { ...all, ...moved, place: all.place ?? one.place, notes: [...all.notes, ...one.notes] };
  }, first);
}

function editsOfOne(
  service: ServiceText,
  { factor, level }: DatabaseChange,
  facts: DatabaseFacts & { more: readonly string[] },
): Edited {
  if (factor === 'storage' && (level === 'named-volume' || level === 'bind-mount')) {
    return onStorage(service, level, facts);
  }
  if (factor === 'storage' && level === 'tmpfs') {
    return { edits: inMemory(service, facts), ...NOTHING_MORE };
  }
  if (factor === 'path' && level === 'user-bridge') {
    throw facts.client === null
      ? refused('clientMoves', { service: service.name })
      : refused('clientThere', { service: facts.client });
  }
  if (factor === 'path' && level === 'host-network') {
    return { edits: onHostNetwork(service, facts, facts.more), ...NOTHING_MORE };
  }
  if (factor === 'server' && Object.hasOwn(SERVER_CHANGES, level)) {
    return { edits: ofServer(service, level as ServerChangeId, facts), ...NOTHING_MORE };
  }
  throw refused('noPatch');
}

function optionsOf(change: DatabaseChange, { poolOptions }: Pick<DatabaseFacts, 'poolOptions'>): string[] {
  return partsOf(change).flatMap(({ factor, level }): readonly string[] => {
    if (factor !== 'server' || !Object.hasOwn(SERVER_CHANGES, level)) return [];
    return level === 'large-pool' ? poolOptions : SERVER_CHANGES[level as ServerChangeId].options;
  });
}

function newOptionFile(folder: string, change: DatabaseChange, options: readonly string[]): ChangedText {
  const name = `mysql/whalemark-${patchName(change)}.cnf`;
  const lines = ['[mysqld]', ...options.map((option) => option.replace(/^--/, ''))];
  const added = lines.map((line) => `+${line}`);
  return {
    file: `${folder}/${name}`,
    text: `${lines.join('\n')}\n`,
    diff: ['--- /dev/null', `+++ b/${name}`, `@@ -0,0 +1,${lines.length} @@`, ...added, ''].join('\n'),
    ...NOTHING_MORE,
    isNew: true,
  };
}

function ofServer(service: ServiceText, level: ServerChangeId, facts: DatabaseFacts): TextEdits {
  if (level === 'without-limits') return withoutLimits(service);
  if (level === 'newest-version') {
    if (facts.newestImage === null) throw refused('noPatch');
    return onImage(service, facts.newestImage);
  }
  return withOptions(service, optionsOf({ factor: 'server', level }, facts));
}

function withOptions(service: ServiceText, options: readonly string[]): TextEdits {
  const edits = new TextEdits(commandFile(service));
  changeOptions(service, edits, options);
  if (edits.isEmpty) throw refused('already');
  return edits;
}
