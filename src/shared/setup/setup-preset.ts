import { type Preset, presetSchema } from '../model/preset.ts';
import type { Setup } from '../model/setup.ts';

export const SETUP_PRESET = 'my-setup';

/** Stub: the merge takes the real one. */
export function presetOfSetup(setup: Setup, service: string): Preset {
  const found = setup.services.find(({ name }) => name === service);
  return presetSchema.parse({
    whalemark: 1,
    id: SETUP_PRESET,
    name: service,
    question: 'What would make it faster?',
    server: { image: found?.image },
    grid: { storages: ['bind-mount', 'named-volume'], paths: ['published-port', 'user-bridge'] },
    baseline: 'bind-mount.published-port',
    schedule: { rounds: 3, warmupSeconds: 0, durationSeconds: 2 },
  });
}
