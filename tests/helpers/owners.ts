import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { ownOwner } from '../../src/benchmark/owners/owner.ts';

/** The owner label of a process of this machine that has just ended. */
export function deadOwner(): string {
  const [place, , startTime] = ownOwner().split('.');
  return `${place}.${spawnSync(process.execPath, ['-e', '']).pid}.${startTime}`;
}
