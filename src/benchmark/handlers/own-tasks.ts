import { randomUUID } from 'node:crypto';
import type { Core, CoreEvent } from '../../shared/contract/ipc.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { DEFAULT_LIMIT_SECONDS, type Task } from '../../shared/model/task.ts';
import type { OwnTask } from '../context/own-task.ts';
import { bytesOf, sqlFiles } from '../tasks/sql-files.ts';

interface KnownTask {
  task: Task;
  own: OwnTask;
}

export class OwnTasks {
  readonly #known = new Map<string, KnownTask>();

  constructor(private readonly emit: (event: CoreEvent) => void) {}

  get(key: string): KnownTask {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    throw new BenchmarkError('TASK_UNKNOWN');
  }

  readonly handlers = {
    'core:own-task': async (asked) => {
      const key = randomUUID();
      if (asked.kind === 'dump') {
        const dump = await sqlFiles(asked.path);
        this.#known.set(key, { task: { kind: 'dump', bytes: bytesOf(dump) }, own: { dump } });
        return key;
      }
      const { kind, words, folder } = asked;
      const limitSeconds = DEFAULT_LIMIT_SECONDS;
      const tell = (lines: string[]): void => this.emit({ type: 'command-failed', lines });
      const command = { words, folder, limitSeconds, tell };
      this.#known.set(key, { task: { kind, limitSeconds }, own: { command } });
      return key;
    },
  } satisfies Partial<Core>;
}
