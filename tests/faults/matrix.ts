import { CONTAINER_FAULTS } from './container-faults.ts';
import type { Fault } from './fault.ts';
import { MACHINE_FAULTS } from './machine-faults.ts';

/** Every fault of the matrix, as the report lists them. */
export const FAULTS: readonly Fault[] = [
  ...MACHINE_FAULTS.slice(0, 1),
  ...CONTAINER_FAULTS,
  ...MACHINE_FAULTS.slice(1),
];
