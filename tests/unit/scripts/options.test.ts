import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

/** Those with options of their own; others hand them on. */
describe.each(['setup', 'fuzz', 'package-npm'])('scripts/%s.mjs', (name) => {
  const run = (option: string) =>
    spawnSync(process.execPath, [`scripts/${name}.mjs`, option], { encoding: 'utf8' });

  it('prints its options if asked for help', () => {
    const { status, stdout, stderr } = run('--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('--');
  });

  it('names an option that it doesn’t have, without a stack trace', () => {
    const { status, stdout, stderr } = run('--no-such-option');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('--no-such-option');
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
