import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { CoreOptions } from '../../src/benchmark/handlers/handlers.ts';
import type { Core } from '../../src/shared/contract/ipc.ts';
import { PLAIN, STORIES, type FakeBehavior } from './behavior.ts';
import { createFakeCore } from './fake-core.ts';

const storySchema = z.enum(STORIES);
/** `fake.json` in the data folder. Its fields hold from the next request on, before the environment. */
const fakeFileSchema = z.strictObject({
  story: storySchema.exactOptional(),
  pace: z.number().exactOptional(),
  holdAfter: z.number().exactOptional(),
  reportFile: z.string().exactOptional(),
  /** A new number makes the core forget its runs, plans, and looks. */
  reset: z.number().exactOptional(),
});

/**
 * This core replaces the real one in a copy of the app (app-copy.ts). `WHALEMARK_FAKE` chooses the story
 * and `WHALEMARK_FAKE_PACE` its pace; `fake.json` changes them and the rest while the app runs.
 */
export function createCore(options: CoreOptions): Core {
  const file = join(options.dataDir, 'fake.json');
  let asked = readFake(file);
  const behavior = (): FakeBehavior => ({ ...fromEnvironment(), ...asked.behavior });
  const make = (): { core: Core; forget: () => void } => {
    let isHeard = true;
    const core = createFakeCore(
      {
        ...options,
        emit: (event) => {
          if (isHeard) options.emit(event);
        },
      },
      behavior,
    );
    const forget = (): void => {
      isHeard = false;
      void core['run:stop']({});
    };
    return { core, forget };
  };
  let made = make();
  /** The core for the next request. */
  const current = (): Core => {
    const before = asked.reset;
    asked = readFake(file);
    if (asked.reset !== before) {
      made.forget();
      made = make();
    }
    return made.core;
  };
  return Object.fromEntries(
    Object.keys(made.core).map((name) => [
      name,
      (params: unknown) => (current()[name as keyof Core] as (params: unknown) => unknown)(params),
    ]),
  ) as unknown as Core;
}

function readFake(file: string): { behavior: Partial<FakeBehavior>; reset: number } {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '{}';
  const { reset = 0, ...behavior } = fakeFileSchema.parse(JSON.parse(text));
  return { behavior, reset };
}

function fromEnvironment(): FakeBehavior {
  const { env } = process;
  return {
    ...PLAIN,
    story: storySchema.parse(env['WHALEMARK_FAKE'] ?? PLAIN.story),
    pace: Number(env['WHALEMARK_FAKE_PACE'] ?? PLAIN.pace),
  };
}
