import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  OWNER_LABEL,
  ROLE_LABEL,
  RUN_LABEL,
  VERSION_LABEL,
  createLabels,
  isOwnerAlive,
  ownOwner,
} from '../../../../src/benchmark/runtime/labels.ts';

const [machine = '', pid = '', startTime = ''] = ownOwner().split('.');

describe('labels', () => {
  it('name owner, run, version and role', () => {
    expect(createLabels({ runId: 'r1', appVersion: '1.2.3', role: 'server' })).toEqual({
      [OWNER_LABEL]: ownOwner(),
      [RUN_LABEL]: 'r1',
      [VERSION_LABEL]: '1.2.3',
      [ROLE_LABEL]: 'server',
    });
    expect(ownOwner()).toMatch(/^[0-9a-f]{12}\.\d+\.\d+$/);
    expect(Number(pid)).toBe(process.pid);
  });

  it.runIf(process.platform === 'linux')('take the start time from the kernel', () => {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    expect(startTime).toBe(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  });
});

describe('isOwnerAlive', () => {
  it('this process is', () => {
    expect(isOwnerAlive(ownOwner())).toBe('alive');
  });

  it('a process that ended is not', () => {
    const { pid: gone } = spawnSync(process.execPath, ['-e', '']);
    expect(isOwnerAlive(`${machine}.${gone}.${startTime}`)).toBe('dead');
  });

  it.runIf(process.platform === 'linux')('a pid that was given out again is not', async () => {
    expect(isOwnerAlive(`${machine}.${pid}.${Number(startTime) - 1}`)).toBe('dead');
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'pipe' });
    await once(child, 'spawn');
    expect(isOwnerAlive(`${machine}.${child.pid ?? 0}.1`)).toBe('dead');
    child.stdin.end();
    await once(child, 'exit');
  });

  it.runIf(process.platform === 'linux')("somebody else's process counts too", () => {
    const stat = readFileSync('/proc/1/stat', 'utf8');
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    expect(isOwnerAlive(`${machine}.1.${start}`)).toBe('alive');
  });

  it.each([
    '0123456789ab.1.1',
    'nonsense',
    '',
    '0123456789ab.0.1',
    `${machine}.-1.1`,
    `${machine}.1`,
    `${machine}.0.1`,
  ])('nobody here may decide about "%s"', (owner) => {
    expect(isOwnerAlive(owner)).toBe('elsewhere');
  });
});
