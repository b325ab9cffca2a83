import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSsh, sshArguments, sshTrial } from '../../../../../src/benchmark/runtime/ssh/ssh-connection.ts';
import { newFolder } from '../../../../helpers/folders.ts';

const TARGET = { host: 'far', user: undefined, port: undefined, socketPath: undefined };

describe('what ssh is told', () => {
  it('is what Docker’s CLI tells it, with no way to ask questions', () => {
    expect(sshArguments(TARGET).join(' ')).toBe(
      '-o BatchMode=yes -o ConnectTimeout=10 -o ControlMaster=no -T -- far docker system dial-stdio',
    );
    const all = { host: '::1', user: 'ada', port: 2222, socketPath: '/run/user/1000/docker.sock' };
    expect(sshArguments(all).slice(7).join(' ')).toBe(
      '-p 2222 -l ada -- ::1 docker --host=unix:///run/user/1000/docker.sock system dial-stdio',
    );
  });

  it('can be tried by hand', () => {
    expect(sshTrial(TARGET)).toBe('ssh far docker version');
    expect(sshTrial({ ...TARGET, user: 'ada', port: 22 })).toBe('ssh -p 22 ada@far docker version');
  });
});

describe('which ssh is used', () => {
  it('is the first on PATH that can be run', () => {
    const directory = newFolder();
    const ssh = join(directory, 'ssh');
    writeFileSync(ssh, '');
    const env = { PATH: `relative:/nowhere:${directory}` };
    expect(findSsh(env, 'linux')).not.toBe(ssh);
    chmodSync(ssh, 0o755);
    expect(findSsh(env, 'linux')).toBe(ssh);
  });

  it('is none when there is none', () => {
    expect(findSsh({ PATH: '' }, 'win32')).toBeUndefined();
  });
});
