import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownOwner } from '../../../../src/benchmark/owners/owner.ts';
import {
  OWNER_LABEL,
  ROLE_LABEL,
  RUN_LABEL,
  VERSION_LABEL,
  createLabels,
} from '../../../../src/benchmark/runtime/labels.ts';

const [, pid = '', startTime = ''] = ownOwner().split('.');

describe('labels', () => {
  it('name owner, run, version and role', () => {
    expect(createLabels({ runId: 'r1', appVersion: '1.2.3', role: 'server' })).toEqual({
      [OWNER_LABEL]: ownOwner(),
      [RUN_LABEL]: 'r1',
      [VERSION_LABEL]: '1.2.3',
      [ROLE_LABEL]: 'server',
    });
    expect(ownOwner()).toMatch(/^[0-9a-f]{12}(-[0-9a-f]{12}-\d+)?\.\d+\.\d+$/);
    expect(Number(pid)).toBe(process.pid);
  });

  it.runIf(process.platform === 'linux')('take the start time from the kernel', () => {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    expect(startTime).toBe(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  });
});
