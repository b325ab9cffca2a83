import { BenchmarkError } from '../../shared/errors.ts';
import { msg } from '../../shared/message.ts';
import type { Setup } from '../../shared/model/setup.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { setupOfContainer } from './container-setups.ts';

export interface SetupRequest {
  target: string;
  files?: string[];
  profiles?: string[];
  environment?: Record<string, string | undefined>;
  runtime?: ContainerRuntime | undefined;
}

/** Stub until the reading of Compose files is merged. Rejects with SETUP_REFUSED. */
export async function openSetup({ target, runtime }: SetupRequest): Promise<Setup> {
  const found = runtime === undefined ? undefined : await setupOfContainer(runtime, target);
  if (found !== undefined) return found;
  throw new BenchmarkError(
    'SETUP_REFUSED',
    { name: target },
    { evidence: [msg('mySetup.noContainer', { name: target })] },
  );
}
