// The disk of the virtual machine (vm.mjs).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../setup/command.mjs';
import { repository } from '../setup/repository.mjs';
import { enginesDir, removeTree, sidDir } from '../setup/sid.mjs';

export const folder = () => join(enginesDir(), 'vm');
export const diskFile = () => join(folder(), 'disk.img');
export const keyFile = () => join(folder(), 'key');

/**
 * The disk includes an engine's kept folder, so that images need no loading.
 *
 * @param {string} data
 */
export async function makeDisk(data) {
  await removeTree(folder());
  const [work, added] = [join(folder(), 'work'), join(folder(), 'added')];
  for (const one of ['root', 'inner']) mkdirSync(join(work, one), { recursive: true });
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile()]);
  for (const one of ['root/.ssh', 'etc/docker', 'etc/ssh/sshd_config.d', 'var/lib/docker']) {
    mkdirSync(join(added, one), { recursive: true });
  }
  const files = {
    init: readFileSync(join(repository, 'scripts/engines/guest-init.sh'), 'utf8'),
    'root/.ssh/authorized_keys': readFileSync(`${keyFile()}.pub`, 'utf8'),
    // Debian's UML has no NAT: ports are published by a proxy, and containers reach nothing outside.
    'etc/docker/daemon.json': '{ "iptables": false, "ip6tables": false }',
    'etc/ssh/sshd_config.d/rig.conf': 'StreamLocalBindUnlink yes\nMaxSessions 100\nMaxStartups 100\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(added, name), text, { mode: 0o755 });
  const layers = `lowerdir=${sidDir()},upperdir=${added},workdir=${join(work, 'inner')}`;
  const make = [
    'mount -t overlay rig -o "$1" "$2"',
    'mount --bind "$3" "$2/var/lib/docker"',
    'mke2fs -q -t ext4 -d "$2" "$4" 12G',
  ].join(' && ');
  const apart = ['--mount', '--propagation', 'private', 'bash', '-c', make, 'bash'];
  await run('unshare', [...apart, layers, join(work, 'root'), data, `${diskFile()}.part`]);
  await removeTree(work);
  await removeTree(added);
  await run('mv', [`${diskFile()}.part`, diskFile()]);
}
