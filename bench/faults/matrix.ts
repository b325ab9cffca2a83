import { CONTAINER_FAULTS } from './container-faults.ts';
import { ENGINE_FAULTS } from './engine-faults.ts';
import type { Fault } from './fault.ts';
import { MACHINE_FAULTS } from './machine-faults.ts';
import { PROGRAM_FAULTS } from './program-faults.ts';
import { TURN_FAULTS } from './turn-faults.ts';
import { VM_FAULTS } from './vm-faults.ts';

/**
 * All faults in the order of the report: first those that can strike in many phases, then those with only a
 * moment or two.
 */
export const FAULTS: readonly Fault[] = [
  ...[...CONTAINER_FAULTS, ...MACHINE_FAULTS],
  ...[...PROGRAM_FAULTS, ...ENGINE_FAULTS, ...TURN_FAULTS, ...VM_FAULTS],
];
