import { SERVER_PORT } from '../kinds/paths.ts';
import { isInMemory, losesData } from '../kinds/storages.ts';
import { msg, type Message } from '../message.ts';
import { type DatabaseChange, type DatabaseService, partsOf } from '../model/database.ts';
import { lossesOfChange } from './changes.ts';
import { publishedPort } from './override.ts';

interface About {
  service: DatabaseService;
  change: DatabaseChange;
  measured: string;
  isVm: boolean;
}

export function overrideNotes(about: About, place: string | null): Message[] {
  const { service, change, measured } = about;
  const all = [
    ...(measured === service.image
      ? []
      : [msg('override.note.official', { official: measured, image: service.image })]),
    ...partsOf(change).flatMap((part) => notesOf({ ...about, change: part })),
    ...(place === null || isInMemory(service.storage.kind) ? [] : [msg('override.note.data')]),
  ];
  return all.filter(({ text }, index) => all.findIndex((one) => one.text === text) === index);
}

function notesOf({ service, change, isVm }: About): Message[] {
  const { kind } = service.storage;
  const memory = isInMemory(kind) ? [msg('override.note.memory')] : [];
  switch (change.level) {
    case 'named-volume':
    case 'bind-mount':
      return [
        losesData(kind) || kind === 'anonymous-volume' || kind === 'data-container'
          ? msg('override.note.kept')
          : msg('override.note.asSafe'),
        ...memory,
        ...(kind === 'bind-mount' && isVm ? [msg('override.note.letterCase')] : []),
        change.level === 'named-volume' ? msg('override.note.inVolume') : msg('override.note.inFolder'),
      ];
    case 'tmpfs':
      return [msg('override.note.inMemory')];
    case 'host-network': {
      const address = `127.0.0.1:${publishedPort(service) ?? SERVER_PORT}`;
      return [...memory, msg('override.note.isolation'), msg('override.note.localOnly', { address })];
    }
    case 'without-limits':
      return [...memory, msg('override.note.noLimits')];
    case 'newest-version':
      return [...memory, msg('override.note.upgrade')];
    default:
      return [
        ...memory,
        ...lossesOfChange(change).map((loss) => msg('override.note.mayLose', { loss: msg(`loss.${loss}`) })),
      ];
  }
}
