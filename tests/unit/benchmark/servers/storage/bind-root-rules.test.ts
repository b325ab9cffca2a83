import fc from 'fast-check';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  bindDeviceProblem,
  bindRootProblem,
  isWithin,
  keepsInodes,
  pathProblem,
  removalProblem,
  type FolderFacts,
} from '../../../../../src/benchmark/servers/storage/bind-roots.ts';
import {
  mountOf,
  parseMacMounts,
  parseMountInfo,
} from '../../../../../src/benchmark/servers/storage/mount-info.ts';

const LINUX: FolderFacts = {
  platform: 'linux',
  real: '/data/bench',
  kind: 'missing',
  foreign: [],
  homes: ['/home/anna'],
  usable: ['/tmp', '/home/anna/.local/share/whalemark'],
  mounts: [{ point: '/', type: 'ext4', source: '/dev/sda1' }],
};
const MAC: FolderFacts = { ...LINUX, platform: 'darwin', homes: ['/Users/anna'] };
const WINDOWS: FolderFacts = {
  ...LINUX,
  platform: 'win32',
  homes: ['C:\\Users\\anna'],
  usable: [],
  mounts: [],
};
const mounted = (point: string, type: string, source = 'x'): FolderFacts['mounts'] => [
  ...LINUX.mounts,
  { point, type, source },
];

describe('a folder for bind mounts', () => {
  it.each<[string, FolderFacts]>([
    ['a new one', LINUX],
    ['an empty one', { ...LINUX, kind: 'folder' }],
    ['one in a home', { ...LINUX, real: '/home/anna/bench' }],
    ['the one of the data folder', { ...LINUX, real: '/home/anna/.local/share/whalemark/bind' }],
    ['one in the temporary folder', { ...LINUX, real: '/tmp/bench' }],
    [
      'one on a disk that is mounted',
      { ...LINUX, real: '/mnt/ssd/bench', mounts: mounted('/mnt/ssd', 'xfs') },
    ],
    ['one on a removable disk', { ...LINUX, real: '/run/media/anna/usb/bench' }],
    ['one in the home of a service', { ...LINUX, real: '/var/lib/ci/bench', homes: ['/var/lib/ci'] }],
    ['one in a data folder below /var', { ...LINUX, real: '/var/lib/wm/bind', usable: ['/var/lib/wm'] }],
    [
      'one on a drive of Windows in WSL',
      { ...LINUX, real: '/mnt/c/bench', mounts: mounted('/mnt/c', '9p', 'C:\\') },
    ],
    ['the temporary folder of macOS', { ...MAC, real: '/private/var/folders/a/b/T/bench' }],
    [
      'one on an external disk of macOS',
      { ...MAC, real: '/Volumes/ssd/bench', mounts: mounted('/Volumes/ssd', 'apfs') },
    ],
    ['one on a drive of Windows', { ...WINDOWS, real: 'D:\\bench' }],
    ['one in a home of Windows', { ...WINDOWS, real: 'C:\\Users\\anna\\AppData\\Roaming\\Whalemark\\bind' }],
  ])('may be %s', (_, facts) => {
    expect(bindRootProblem(facts)).toBeUndefined();
  });

  it.each<[string, RegExp, FolderFacts]>([
    ['the root', /root of a file system/, { ...LINUX, real: '/' }],
    ['a drive', /root of a file system/, { ...WINDOWS, real: 'D:\\' }],
    ['a home', /home folder/, { ...LINUX, real: '/home/anna' }],
    ['what holds homes', /home folder/, { ...LINUX, real: '/home' }],
    ['somebody else’s home', /home folder/, { ...LINUX, real: '/home/bert', homes: [] }],
    ['root’s home', /home folder/, { ...LINUX, real: '/root' }],
    ['a home by another case on macOS', /home folder/, { ...MAC, real: '/users/ANNA' }],
    ['a home of Windows', /home folder/, { ...WINDOWS, real: 'c:\\users\\Anna' }],
    [
      'a folder of the system',
      /is part of a system folder \(\/etc\)/,
      { ...LINUX, real: '/etc/mysql/bench' },
    ],
    ['something below /proc', /is part of a system folder/, { ...LINUX, real: '/proc/whalemark' }],
    ['something below /var/lib', /is part of a system folder/, { ...LINUX, real: '/var/lib/docker/bench' }],
    [
      'the system by way of a strange home',
      /system/,
      { ...LINUX, real: '/usr/sbin/bench', homes: ['/usr/sbin'] },
    ],
    [
      'everything by way of a home that is the root',
      /system/,
      { ...LINUX, real: '/etc/bench', homes: ['/'] },
    ],
    ['the system of macOS', /is part of a system folder/, { ...MAC, real: '/private/etc/bench' }],
    ['the system of Windows', /C:\\Windows/, { ...WINDOWS, real: 'C:\\Windows\\Temp\\bench' }],
    ['programs of Windows', /Program Files/i, { ...WINDOWS, real: 'C:\\Program Files (x86)\\bench' }],
    ['a mount point', /mount point/, { ...LINUX, mounts: mounted('/data/bench', 'ext4') }],
    [
      'what holds a mount point',
      /contains another mount/,
      { ...LINUX, mounts: mounted('/data/bench/x', 'ext4') },
    ],
    ['NFS', /network drive \(nfs4\)/, { ...LINUX, mounts: mounted('/data', 'nfs4') }],
    ['a Windows share', /network drive \(cifs\)/, { ...LINUX, mounts: mounted('/data', 'cifs') }],
    ['a folder over ssh', /fuse\.sshfs/, { ...LINUX, mounts: mounted('/data', 'fuse.sshfs') }],
    ['a share of another kind of VM', /9p/, { ...LINUX, mounts: mounted('/data', '9p', 'host') }],
    [
      'a share on macOS',
      /smbfs/,
      { ...MAC, real: '/Volumes/nas/x', mounts: mounted('/Volumes/nas', 'smbfs') },
    ],
    ['a share on Windows', /UNC/, { ...WINDOWS, real: '\\\\nas\\share\\bench' }],
    ['a folder of WSL from Windows', /UNC/, { ...WINDOWS, real: '\\\\wsl$\\Debian\\home\\anna\\bench' }],
    ['a link', /symbolic link/, { ...LINUX, kind: 'link' }],
    ['a file', /isn’t a folder/, { ...LINUX, kind: 'other' }],
    [
      'a folder with somebody’s files',
      /didn’t create “thesis.doc”/,
      { ...LINUX, kind: 'folder', foreign: ['thesis.doc'] },
    ],
  ])('is never %s', (_, reason, facts) => {
    expect(bindRootProblem(facts)?.text).toMatch(reason);
  });

  it.each<[string, NodeJS.Platform, RegExp]>([
    ['relative/path', 'linux', /absolute/],
    ['~/bench', 'linux', /absolute/],
    ['', 'linux', /absolute/],
    ['/a:b', 'linux', /colon/],
    ['/a\nb', 'linux', /control/],
    ['/a\0b', 'darwin', /control/],
    ['C:bench', 'win32', /absolute/],
    ['\\bench', 'win32', /absolute/],
    ['C:\\a:stream', 'win32', /characters/],
    ['//nas/share', 'win32', /UNC/],
    ['\\\\?\\C:\\x', 'win32', /UNC/],
  ])('is not called %j on %s', (path, platform, reason) => {
    expect(pathProblem(path, platform)?.text).toMatch(reason);
  });

  it('may hold files and be a mount point where it is a disk that the preset names', () => {
    const disk: FolderFacts = {
      ...LINUX,
      real: '/mnt/ssd',
      kind: 'folder',
      foreign: ['x'],
      mounts: mounted('/mnt/ssd', 'xfs'),
    };
    expect(bindDeviceProblem(disk)).toBeUndefined();
    for (const real of [
      '/',
      '/home/anna',
      '/home/anna/.ssh',
      '/root/.ssh',
      '/var/home/core',
      '/etc',
      '/var/lib/mysql',
    ]) {
      expect(bindDeviceProblem({ ...disk, real })).toBeDefined();
    }
    expect(bindDeviceProblem({ ...disk, homes: ['/mnt'] })?.code).toBe('device.home');
    expect(bindDeviceProblem({ ...disk, homes: ['/'] })).toBeUndefined();
    expect(bindDeviceProblem({ ...disk, homes: ['/mnt/other'] })).toBeUndefined();
  });
});

describe('a marked folder', () => {
  const facts = { ...LINUX, real: '/data/bench/whalemark-r-s1', inode: '7' };
  const made = { path: facts.real, inode: '7' };
  const unknownInode = { path: facts.real };

  it('may be deleted where it was made', () => {
    expect(removalProblem(facts, made)).toBeUndefined();
    expect(removalProblem(facts, unknownInode)).toBeUndefined();
    expect(removalProblem({ ...facts, mounts: mounted('/data', 'nfs4') }, unknownInode)).toBeUndefined();
  });

  it('is known by its inode only where the file system keeps it', () => {
    expect(keepsInodes(LINUX.mounts, '/data')).toBe(true);
    expect(keepsInodes(mounted('/data', 'exfat'), '/data')).toBe(false);
    expect(keepsInodes([], '/data')).toBe(false);
  });
});

describe('mount tables', () => {
  it('are read with what is escaped in them', () => {
    const text = String.raw`36 35 98:0 / /mnt/my\040disk rw master:1 - fuse.sshfs me@nas:/x rw`;
    expect(parseMountInfo(`${text}\n\nnonsense\n`)).toEqual([
      { point: '/mnt/my disk', type: 'fuse.sshfs', source: 'me@nas:/x', number: '98:0' },
    ]);
    const mac =
      '//me@nas/share on /Volumes/my share (smbfs, nodev, nosuid)\nmap auto_home on /System/Volumes/Data/home (autofs)';
    expect(parseMacMounts(mac)).toEqual([
      { point: '/Volumes/my share', type: 'smbfs', source: '//me@nas/share' },
      { point: '/System/Volumes/Data/home', type: 'autofs', source: 'map auto_home' },
    ]);
  });
});

/** Short names, so that paths, homes and mounts often meet. */
const name = fc.constantFrom('a', 'b', 'c', 'home', 'var', 'tmp', 'etc', 'mnt', 'anna');
const path = fc.array(name, { maxLength: 5 }).map((names) => `/${names.join('/')}`);
const mount = fc.record({
  point: path,
  type: fc.constantFrom('ext4', 'xfs', 'nfs4', 'cifs', 'fuse.sshfs', 'tmpfs'),
  source: fc.constant('x'),
});
const anyFacts: fc.Arbitrary<FolderFacts> = fc.record({
  platform: fc.constantFrom<NodeJS.Platform>('linux', 'darwin'),
  real: path,
  kind: fc.constantFrom<FolderFacts['kind']>('missing', 'folder', 'link', 'other'),
  foreign: fc.array(name, { maxLength: 2 }),
  homes: fc.array(path, { maxLength: 2 }),
  usable: fc.array(path, { maxLength: 2 }),
  mounts: fc.array(mount, { maxLength: 4 }),
});

describe('whatever the machine looks like', () => {
  it('no root, home, link, mount point, network drive or folder in use is ever accepted', () => {
    let accepted = 0;
    fc.assert(
      fc.property(anyFacts, (facts) => {
        if (bindRootProblem(facts) !== undefined) return;
        accepted++;
        const { real, homes, mounts, platform } = facts;
        expect(real).not.toBe('/');
        expect(['missing', 'folder']).toContain(facts.kind);
        expect(facts.foreign).toEqual([]);
        for (const home of homes) expect(isWithin(real, home, platform)).toBe(false);
        for (const { point } of mounts) expect(isWithin(real, point, platform)).toBe(false);
        expect(['nfs4', 'cifs', 'fuse.sshfs']).not.toContain(mountOf(mounts, real)?.type);
        expect(real).not.toMatch(/^\/etc(\/|$)/);
        // What is made in there stays in there.
        const inside = posix.join(real, 'whalemark-r-s1', 'data');
        expect(isWithin(real, inside, platform)).toBe(true);
      }),
      { numRuns: 5000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it('nothing is deleted that is a root, a home, a mount point, or not where it was made', () => {
    fc.assert(
      fc.property(
        anyFacts,
        fc.option(path, { nil: undefined }),
        fc.constantFrom('1', '2'),
        (facts, made, inode) => {
          if (removalProblem({ ...facts, inode: '1' }, { path: made ?? facts.real, inode }) !== undefined)
            return;
          const { real, homes, mounts, platform } = facts;
          expect(real).not.toBe('/');
          expect(inode).toBe('1');
          if (made !== undefined) expect(made).toBe(real);
          for (const home of homes) expect(isWithin(real, home, platform)).toBe(false);
          for (const { point } of mounts) expect(isWithin(real, point, platform)).toBe(false);
        },
      ),
      { numRuns: 5000 },
    );
  });

  it('any text is judged without an error', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom<NodeJS.Platform>('linux', 'win32'),
        (text, platform) => {
          const reason = pathProblem(text, platform);
          if (reason === undefined && platform === 'linux') expect(text).toMatch(/^\/[^:\p{Cc}]*$/u);
        },
      ),
      { numRuns: 5000 },
    );
  });
});
