import { losesData } from '../../kinds/storages.ts';
import { msg, type Message } from '../../message.ts';
import type { SetupChange, SetupPatch, SetupPath, SetupService, SetupSource } from '../../model/setup.ts';
import { SERVER_CHANGES, type ServerChangeId } from '../server-changes.ts';
import { changedText } from './changed-text.ts';
import { folderOf } from './file-names.ts';
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
  const { file, diff, place } = changed;
  const folder = folderOf(texts[0]?.file ?? file);
  const patchFile = patchFileName(service.name, change);
  const moves = movesOf({ source, service, folder, fileFolder: folderOf(file), place, patchFile });
  return { change, gain, file, diff, moves, notes: notesOf(request, paths) };
}

/** A name for the file with a diff, which the commands of its move use. */
export function patchFileName(service: string, { level }: SetupChange): string {
  return `${service}-${level}.patch`.replace(/[^\w.-]/g, '-');
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

function notesOf({ service, change }: PatchRequest, paths: readonly SetupPath[]): Message[] {
  const { kind } = service.storage;
  switch (change.level) {
    case 'named-volume':
    case 'bind-mount':
      return [
        losesData(kind) || kind === 'anonymous-volume' || kind === 'data-container'
          ? msg('setupPatch.note.kept')
          : msg('setupPatch.note.asSafe'),
        ...(kind === 'tmpfs' ? [msg('setupPatch.note.memory')] : []),
        change.level === 'named-volume' ? msg('setupPatch.note.inVolume') : msg('setupPatch.note.inFolder'),
      ];
    case 'host-network':
      return [
        msg('setupPatch.note.isolation'),
        msg('setupPatch.note.localOnly', { address: `127.0.0.1:${publishedPort(paths) ?? 3306}` }),
      ];
    case 'without-limits':
      return [msg('setupPatch.note.noLimits')];
    default: {
      const loss = lossOf(change);
      return loss === 'nothing' ? [] : [msg(`setupPatch.note.${loss}`)];
    }
  }
}
