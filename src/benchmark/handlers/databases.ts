import { dirname } from 'node:path';
import { analyze } from '../../shared/analysis/analyze.ts';
import type { Core } from '../../shared/contract/ipc.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import {
  changeId,
  type Database,
  databaseKey,
  type DatabaseOverrides,
  type DatabaseSource,
} from '../../shared/model/database.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { findDatabases } from '../database/container-databases.ts';
import { openDatabase } from '../database/open-database.ts';
import { writeOverride } from '../compose/write-override.ts';
import { overridesOf } from '../database/database-overrides.ts';
import type { Runtimes } from './runtimes.ts';

interface DatabasesContext {
  runtimes: Pick<Runtimes, 'inUse'>;
  runs: { load(runId: string): Promise<RunState> };
  /** Paths in a result file are another machine's. */
  isFromFile(runId: string): Promise<boolean>;
}

export class Databases {
  readonly #known = new Map<string, Database>();

  constructor(private readonly context: DatabasesContext) {}

  get(key: string): Database {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    throw new BenchmarkError('USAGE', {
      problem: 'This database is no longer known.',
      fix: 'Open its Compose file or container again.',
    });
  }

  /** Rejects like `openDatabase`. */
  async readAgain(source: DatabaseSource): Promise<Database> {
    const runtime = await this.context.runtimes.inUse().catch(() => undefined);
    if (source.kind === 'container')
      return openDatabase({ target: source.id, environment: process.env, runtime });
    const { envFile, profiles = [] } = source;
    const [target = '', ...files] = envFile === undefined ? source.files : [dirname(envFile)];
    return openDatabase({ target, files, profiles, environment: process.env, runtime });
  }

  readonly handlers = {
    'databases:find': async ({ runtimeId }) => {
      const found = await findDatabases(await this.context.runtimes.inUse(runtimeId));
      found.forEach((database) => this.#keep(database));
      return found;
    },
    'databases:open': async ({ path }) => {
      // Files need no engine, which only adds its container.
      const runtime = await this.context.runtimes.inUse().catch(() => undefined);
      const database = await openDatabase({ target: path, environment: process.env, runtime });
      this.#keep(database);
      return database;
    },
    'databases:overrides': ({ runId }) => this.#overrides(runId),
    'databases:write-override': async ({ runId, change }) => {
      const { overrides } = await this.#overrides(runId);
      const wanted = overrides.find((one) => changeId(one.change) === change);
      if (wanted !== undefined) await writeOverride(wanted);
      return undefined;
    },
  } satisfies Partial<Core>;

  async #overrides(runId: string): Promise<DatabaseOverrides> {
    const run = await this.context.runs.load(runId);
    if (await this.context.isFromFile(runId)) throw new BenchmarkError('DATABASE_ELSEWHERE');
    return overridesOf(run, analyze(run));
  }

  #keep(database: Database): void {
    this.#known.set(databaseKey(database.source), database);
  }
}
