import { BenchmarkError } from '../../shared/errors.ts';
import type { Setup } from '../../shared/model/setup.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';

export interface SetupRequest {
  /** Of a Compose file, or the name or ID of a container. */
  target: string;
  files?: string[];
  profiles?: string[];
  environment?: Record<string, string | undefined>;
  runtime?: ContainerRuntime | undefined;
}

/** Stub: the merge takes the real one. */
export function openSetup({ target }: SetupRequest): Promise<Setup> {
  return Promise.reject(new BenchmarkError('SETUP_REFUSED', { name: target }));
}
