import { bytesOf, sqlFiles } from '../../benchmark/tasks/sql-files.ts';
import type { OwnTask } from '../../benchmark/context/own-task.ts';
import { STORAGE_KINDS } from '../../shared/model/names.ts';
import { DEFAULT_LIMIT_SECONDS, type Task } from '../../shared/model/task.ts';
import { withLevels } from '../../shared/preset/task-preset.ts';
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
  const { setup, change: changes, ...shared } = options;
  if (options.in !== undefined && task.kind !== 'command')
    throw usage('--in needs a command after --.', 'time');
  if (setup !== undefined) {
    const [change] = changes ?? [];
    const database = change === undefined ? shared : { ...shared, change };
    return measureDatabase([setup], database, 'time', { task, own: { ...own, before } });
  }
  if (options.service !== undefined || options.override !== undefined)
    throw usage('--service and --override need --setup.', 'time');
  const base = await whalemark.presetOfTask(task.kind);
  const preset = withLevels(base, {
    storages: oneOfEach(options.storage, [...STORAGE_KINDS, ...Object.keys(base.storages)], '--storage'),
    changes: oneOfEach(changes, Object.keys(base.servers), '--change'),
  });
  const planned = await whalemark.plan(preset, options, engineFinder(options.context), {
    task,
    own: { ...own, before },
  });
  if (options.plan === true) return showPlan(planned, options, 'time');
  return measure(planned, options, 'time');
}

export async function wantedTask([what, ...more]: string[], options: TimeOptions): Promise<Wanted> {
  const [target] = more;
  switch (what) {
    case undefined:
      throw usage('Say what to time: ready, migrations, import DUMP, or -- and a command.', 'time');
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

function oneOfEach(
  names: readonly string[] | undefined,
  known: readonly string[],
  option: string,
): readonly string[] | undefined {
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw usage(`${option} ${unknown}: there is none of this name.`, 'time', `Allowed: ${known.join(', ')}.`);
}
