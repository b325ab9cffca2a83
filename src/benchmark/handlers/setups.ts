import { analyze } from '../../shared/analysis/analyze.ts';
import type { Core } from '../../shared/contract/ipc.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type { RunView } from '../../shared/model/run-view.ts';
import { type Setup, setupKey } from '../../shared/model/setup.ts';
import { writeExport } from '../report/export.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { withAllConfigFiles } from '../setup/option-files.ts';
import { findSetups } from '../setup/container-setups.ts';
import { openSetup } from '../setup/open-setup.ts';
import { patchesOf } from '../setup/setup-patches.ts';

type SetupRequests = 'setups:find' | 'setups:patches' | 'core:open-setup' | 'core:save-patch';

interface SetupsContext {
  runtime(id?: string): Promise<ContainerRuntime>;
  view(runId: string): Promise<RunView>;
  /** Whether the run comes from a result file: its paths are another machine's, or a stranger's. */
  isFromFile(runId: string): Promise<boolean>;
}

export class Setups {
  readonly #context: SetupsContext;
  readonly #known = new Map<string, Setup>();

  constructor(context: SetupsContext) {
    this.#context = context;
  }

  get(key: string): Setup {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    throw new BenchmarkError('USAGE', {
      problem: 'This setup is no longer known.',
      fix: 'Open its Compose file or container again.',
    });
  }

  readonly handlers: Pick<Core, SetupRequests> = {
    'setups:find': async ({ runtimeId }) =>
      this.#keep(await findSetups(await this.#context.runtime(runtimeId))),
    'core:open-setup': async ({ path }) => {
      // A file can be read without an engine, which only adds its container.
      const runtime = await this.#context.runtime().catch(() => undefined);
      const setup = await openSetup({ target: path, environment: process.env, runtime });
      const [read = setup] = await this.#keep([setup]);
      return read;
    },
    'setups:patches': async ({ runId }) => {
      const run = await this.#context.view(runId);
      if (await this.#context.isFromFile(runId)) throw new BenchmarkError('SETUP_ELSEWHERE');
      return patchesOf(run, analyze(run));
    },
    'core:save-patch': async ({ text, path }) => {
      await writeExport(path, Buffer.from(text, 'utf8'), { overwrite: true });
      return undefined;
    },
  };

  /** The window sees what is in the option files, too; a plan reads them again. */
  #keep(setups: Setup[]): Promise<Setup[]> {
    for (const setup of setups) this.#known.set(setupKey(setup.source), setup);
    return withAllConfigFiles(setups);
  }
}
