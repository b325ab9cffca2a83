import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from './cache-dir.mjs';
import { run } from './command.mjs';
import { isRoot } from './machine.mjs';
import { step } from './report.mjs';

/** The engines, and the virtual machine's kernel, 9p server, and SSH server. */
const PACKAGES = [
  ...['docker.io', 'iptables', 'nftables', 'ca-certificates', 'iproute2', 'procps', 'kmod', 'e2fsprogs'],
  ...['podman', 'crun', 'netavark', 'aardvark-dns'],
  ...['user-mode-linux', 'diod', 'openssh-server'],
];

/** Files without manuals; the mirror may keep an old state of sid, past its date. */
const FILES = {
  'etc/dpkg/dpkg.cfg.d/whalemark': `force-unsafe-io
path-exclude=/usr/share/doc/*
path-exclude=/usr/share/man/*
path-exclude=/usr/share/info/*
path-exclude=/usr/share/locale/*
`,
  'etc/apt/apt.conf.d/99whalemark': 'Acquire::Check-Valid-Until "false";\nAcquire::Languages "none";\n',
  'usr/sbin/policy-rc.d': '#!/bin/sh\nexit 101\n',
};

const recipe = createHash('sha256')
  .update(JSON.stringify([PACKAGES, FILES]))
  .digest('hex')
  .slice(0, 12);

export const enginesDir = () => join(cacheDir(), 'engines');
export const sidDir = () => join(enginesDir(), `sid-${recipe}`);
export const hasSid = () => existsSync(sidDir());

/**
 * Unlike Node's own, this never crosses into a mounted file system.
 * @param {string} folder
 */
export const removeTree = (folder) => run('rm', ['-rf', '--one-file-system', folder]);

export async function provideSid() {
  if (!isRoot()) throw new Error('Only root can unpack the engines of Debian sid.');
  await step('unpacking the engines of Debian sid', async () => {
    mkdirSync(enginesDir(), { recursive: true });
    for (const name of readdirSync(enginesDir()).filter((one) => one.startsWith('sid-'))) {
      await removeTree(join(enginesDir(), name));
    }
    const work = `${sidDir()}.part`;
    // Mounts end with the namespace, however debootstrap ends.
    const apart = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child', '--mount-proc'];
    await run('unshare', [...apart, 'debootstrap', '--variant=minbase', 'sid', work, await mirror()]);
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(work, name), text, { mode: 0o755 });
    const install = [
      'mount -t proc proc "$1/proc"',
      'cp --dereference /etc/resolv.conf "$1/etc/resolv.conf"',
      'chroot "$@"',
    ].join(' && ');
    const inTree = (/** @type {string[]} */ ...command) =>
      run('unshare', [...apart, 'bash', '-c', install, 'bash', work, ...command], {
        env: { DEBIAN_FRONTEND: 'noninteractive', PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      });
    await inTree('apt-get', 'update');
    await inTree('apt-get', 'install', '-y', '--no-install-recommends', ...PACKAGES);
    await inTree('apt-get', 'clean');
    const [kernel = ''] = readdirSync(join(work, 'usr/lib/uml/modules'));
    mkdirSync(join(work, 'usr/lib/modules'), { recursive: true });
    symlinkSync(`../uml/modules/${kernel}`, join(work, 'usr/lib/modules', kernel));
    await inTree('depmod', kernel);
    rmSync(join(work, 'var/lib/apt/lists'), { recursive: true });
    await run('mv', [work, sidDir()]);
  });
}

/** On Ubuntu, whose mirror has no sid, Debian's. */
async function mirror() {
  const targets = ['indextargets', '--format', '$(REPO_URI)', 'Identifier: Packages'];
  const [own = ''] = (await run('apt-get', targets)).split('\n');
  return own.includes('/debian') ? own : 'http://deb.debian.org/debian';
}
