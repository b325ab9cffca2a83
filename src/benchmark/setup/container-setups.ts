import type { Setup } from '../../shared/model/setup.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';

/** Of a container by name or ID; undefined: no such container. */
export const setupOfContainer: (
  runtime: ContainerRuntime,
  nameOrId: string,
) => Promise<Setup | undefined> = async () => undefined;
