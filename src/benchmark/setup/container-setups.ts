import type { Setup } from '../../shared/model/setup.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';

/** Stub: the merge takes the real one. */
export function findSetups(runtime: ContainerRuntime): Promise<Setup[]> {
  void runtime;
  return Promise.resolve([]);
}
