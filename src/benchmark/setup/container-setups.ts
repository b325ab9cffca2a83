import type { Setup } from '../../shared/model/setup.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';

/** Of the database containers on the engine, running or stopped. */
export const findSetups: (runtime: ContainerRuntime) => Promise<Setup[]> = async () => [];

/** Undefined: no such container. */
export const setupOfContainer: (
  runtime: ContainerRuntime,
  nameOrId: string,
) => Promise<Setup | undefined> = async () => undefined;
