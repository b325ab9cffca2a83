import { isInMemory, losesData } from '../../kinds/storages.ts';
import { msg, type Message } from '../../message.ts';
import type { SetupChange, SetupPatch, SetupPath, SetupService, SetupSource } from '../../model/setup.ts';
import { SERVER_CHANGES, type ServerChangeId } from '../server-changes.ts';
import { changedText } from './changed-text.ts';
import { folderOf } from '../file-names.ts';
import { movesOf } from './moves.ts';
import type { ComposeText } from './yaml-file.ts';

export interface PatchRequest {
  /** By absolute name, the first first. */
  texts: readonly ComposeText[];
  source: SetupSource;
  service: Pick<SetupService, 'name' | 'image' | 'flavor' | 'storage' | 'path' | 'otherPaths'>;
  change: SetupChange;
  gain: SetupPatch['gain'];
  /** The engine runs in a VM. */
  isVm: boolean;
}

/** The diff of one change with all that belongs to it, or why there is none. */
export function setupPatch(request: PatchRequest): SetupPatch | { refusal: Message } {
  const { texts, source, service, change, gain, isVm } = request;
  const paths = [service.path, ...service.otherPaths];
  const changed = changedText(texts, service.name, change, {
    datadir: service.storage.datadir,
    port: publishedPort(paths),
    client: paths.find(({ client }) => client !== null)?.client ?? null,
    isVm,
    isMariaDb: service.flavor === 'mariadb',
  });
  if ('refusal' in changed) return changed;
  const { file, diff, place, notes } = changed;
  // Compose replaces the container, and its layer with it.
  if (place === null && service.storage.kind === 'container-layer') {
    return { refusal: msg('setupPatch.refused.layer', { service: service.name }) };
  }
  const folder = folderOf(texts[0]?.file ?? file);
  const moves = movesOf({ source, service, folder, fileFolder: folderOf(file), place, change });
  return { change, gain, file, diff, moves, notes: [...notesOf(request, paths), ...notes] };
}

/** What may be lost that the setup keeps. */
export function lossOf({ factor, level }: SetupChange): (typeof SERVER_CHANGES)[ServerChangeId]['loses'] {
  return factor === 'server' && Object.hasOwn(SERVER_CHANGES, level)
    ? SERVER_CHANGES[level as ServerChangeId].loses
    : 'nothing';
}

function publishedPort(paths: readonly SetupPath[]): number | null {
  return paths.find(({ port }) => port !== null)?.port ?? null;
}

function notesOf({ service, change, isVm }: PatchRequest, paths: readonly SetupPath[]): Message[] {
  const { kind } = service.storage;
  const memory = isInMemory(kind) ? [msg('setupPatch.note.memory')] : [];
  switch (change.level) {
    case 'named-volume':
    case 'bind-mount':
      return [
        losesData(kind) || kind === 'anonymous-volume' || kind === 'data-container'
          ? msg('setupPatch.note.kept')
          : msg('setupPatch.note.asSafe'),
        ...memory,
        ...(kind === 'bind-mount' && isVm ? [msg('setupPatch.note.letterCase')] : []),
        change.level === 'named-volume' ? msg('setupPatch.note.inVolume') : msg('setupPatch.note.inFolder'),
      ];
    case 'host-network':
      return [
        ...memory,
        msg('setupPatch.note.isolation'),
        msg('setupPatch.note.localOnly', { address: `127.0.0.1:${publishedPort(paths) ?? 3306}` }),
      ];
    case 'without-limits':
      return [...memory, msg('setupPatch.note.noLimits')];
    default: {
      const loss = lossOf(change);
      return [...memory, ...(loss === 'nothing' ? [] : [msg(`setupPatch.note.${loss}`)])];
    }
  }
}
