import { CONTAINER_FAULTS } from './container-faults.ts';
import { ENGINE_FAULTS } from './engine-faults.ts';
import type { Fault } from './fault.ts';
import { MACHINE_FAULTS } from './machine-faults.ts';
import { PROGRAM_FAULTS } from './program-faults.ts';
import { TURN_FAULTS } from './turn-faults.ts';

/** The faults that can strike in many phases, in the order of the report. */
export const MATRIX: readonly Fault[] = [
  ...MACHINE_FAULTS.slice(0, 1),
  ...CONTAINER_FAULTS,
  ...MACHINE_FAULTS.slice(1),
];

/** Faults with a moment or two of their own. */
const OTHERS: readonly Fault[] = [...PROGRAM_FAULTS, ...ENGINE_FAULTS, ...TURN_FAULTS];

export const FAULTS: readonly Fault[] = [...MATRIX, ...OTHERS];
