import { bytesOf, sqlFiles } from '../../benchmark/tasks/sql-files.ts';
import type { OwnTask } from '../../benchmark/context/own-task.ts';
import { isContainerStorage } from '../../shared/kinds/storages.ts';
import { STORAGE_KINDS } from '../../shared/model/names.ts';
import { DEFAULT_LIMIT_SECONDS, type Task } from '../../shared/model/task.ts';
import { firstStorage, withLevels } from '../../shared/preset/task-preset.ts';
import { usage } from '../exit-codes.ts';
import { whalemark } from '../installation.ts';
import type { TimeOptions } from '../plan-command.ts';
import { engineFinder } from '../run/runtime.ts';
import { note } from '../text/terminal.ts';
import { measure, showPlan } from './run.ts';
import { measureDatabase } from './setup.ts';

interface Wanted {
  task: Task;
  own: OwnTask;
}

export async function timeTask(words: string[], options: TimeOptions): Promise<number> {
  const { task: asked, own } = await wantedTask(words, options);
  const before = options.before === undefined ? undefined : await sqlFiles(options.before);
  if (asked.kind === 'ready' && (before !== undefined || options.limit !== undefined))
    throw usage('--before and --limit need another task than ready.', 'time');
  const task: Task = {
    ...asked,
    ...(before === undefined ? {} : { beforeBytes: bytesOf(before) }),
    ...(options.limit === undefined ? {} : { limitSeconds: options.limit }),
  };
  const { setup, change: changes, image: images = [], ...others } = options;
  const comparedImages = comparedOf(images, options);
  const [image] = images;
  const shared = image === undefined || comparedImages !== undefined ? others : { ...others, image };
  if (options.in !== undefined && task.kind !== 'command')
    throw usage('--in needs a command after --.', 'time');
  if (asked.kind === 'ready' && changes !== undefined && setup === undefined)
    throw usage('--change needs another task than ready, or --setup.', 'time');
  if (setup !== undefined) {
    const [change] = changes ?? [];
    const database = change === undefined ? shared : { ...shared, change };
    return measureDatabase([setup], database, 'time', {
      ...{ task, comparedImages, own: { ...own, before } },
    });
  }
  if (options.service !== undefined || options.override !== undefined)
    throw usage('--service and --override need --setup.', 'time');
  const base = await whalemark.presetOfTask(task.kind);
  // A command's container reaches no server of this machine.
  const storages = STORAGE_KINDS.filter((kind) => isContainerStorage(kind) || task.kind !== 'command');
  const preset = withLevels(base, {
    storages:
      oneOfEach(options.storage, [...storages, ...Object.keys(base.storages)], '--storage') ??
      (comparedImages && firstStorage(base)),
    changes: oneOfEach(changes, Object.keys(base.servers), '--change'),
  });
  const planned = await whalemark.plan(preset, shared, engineFinder(options.context), {
    ...{ task, comparedImages, own: { ...own, before } },
  });
  if (options.plan === true) return showPlan(planned, shared, 'time');
  return measure(planned, shared, 'time');
}

export async function wantedTask([what, ...more]: string[], options: TimeOptions): Promise<Wanted> {
  const [target] = more;
  switch (what) {
    case undefined:
      throw usage('Name what to time: ready, migrations, import DUMP, or -- and a command.', 'time');
    case 'ready':
    case 'reset':
      return { task: { kind: what }, own: {} };
    case 'migrations':
      return { task: { kind: what, count: 100 }, own: {} };
    case 'import': {
      if (target === undefined) return { task: { kind: 'import' }, own: {} };
      const dump = await sqlFiles(target);
      return { task: { kind: 'dump', bytes: bytesOf(dump) }, own: { dump } };
    }
    default: {
      const limitSeconds = options.limit ?? DEFAULT_LIMIT_SECONDS;
      const tell = (lines: string[]): void => lines.forEach((line) => note(`  ${line}`));
      const command = { words: [what, ...more], folder: process.cwd(), limitSeconds, tell };
      return { task: { kind: 'command', limitSeconds, image: options.in }, own: { command } };
    }
  }
}

function comparedOf(
  images: readonly string[],
  { change, override }: TimeOptions,
): readonly string[] | undefined {
  if (images.length < 2) return undefined;
  const twice = images.find((image, index) => images.indexOf(image) !== index);
  if (twice !== undefined)
    throw usage(`--image ${twice} is given twice.`, 'time', 'Use images of different servers or versions.');
  if (change !== undefined || override === true)
    throw usage('--change and --override need one --image; several are compared with each other.', 'time');
  return images;
}

function oneOfEach(
  names: readonly string[] | undefined,
  known: readonly string[],
  option: string,
): readonly string[] | undefined {
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw usage(`${option} ${unknown}: there is no such name.`, 'time', `Allowed: ${known.join(', ')}.`);
}
