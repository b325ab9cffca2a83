import fc from 'fast-check';
import { posix } from 'node:path';
import { expect, it } from 'vitest';
import {
  bindDeviceProblem,
  bindRootProblem,
  isWithin,
  keepsInodes,
  removalProblem,
  type FolderFacts,
} from '../../../../../src/benchmark/servers/storage/bind-roots.ts';
import {
  fileSystemOf,
  parseMacMounts,
  parseMountInfo,
} from '../../../../../src/benchmark/servers/storage/mount-info.ts';

const LINUX: FolderFacts = {
  platform: 'linux',
  real: '/data/bind',
  kind: 'missing',
  foreign: [],
  homes: ['/home/anna'],
  mounts: [{ point: '/', type: 'ext4', source: '/dev/sda1' }],
};
const MAC: FolderFacts = { ...LINUX, platform: 'darwin', homes: ['/Users/anna'] };
const WINDOWS: FolderFacts = { ...LINUX, platform: 'win32', homes: ['C:\\Users\\anna'], mounts: [] };
const mounted = (point: string, type: string): FolderFacts['mounts'] => [
  ...LINUX.mounts,
  { point, type, source: 'x' },
];

it.each<[string, FolderFacts, string | undefined]>([
  ['new', LINUX, undefined],
  ['empty', { ...LINUX, kind: 'folder' }, undefined],
  ['in a home', { ...LINUX, real: '/home/anna/.local/share/whalemark/bind' }, undefined],
  ['in a home of Windows', { ...WINDOWS, real: 'C:\\Users\\anna\\AppData\\Whalemark\\bind' }, undefined],
  ['on a mounted disk', { ...LINUX, mounts: mounted('/data', 'xfs') }, undefined],
  ['the root', { ...LINUX, real: '/' }, 'folder.home'],
  ['a drive', { ...WINDOWS, real: 'D:\\' }, 'folder.home'],
  ['a home', { ...LINUX, real: '/home/anna' }, 'folder.home'],
  ['what holds homes', { ...LINUX, real: '/home' }, 'folder.home'],
  ['a home in another case on macOS', { ...MAC, real: '/users/ANNA' }, 'folder.home'],
  ['a home of Windows', { ...WINDOWS, real: 'c:\\users\\Anna' }, 'folder.home'],
  ['a mount point', { ...LINUX, mounts: mounted('/data/bind', 'ext4') }, 'folder.mountPoint'],
  ['around a mount point', { ...LINUX, mounts: mounted('/data/bind/x', 'ext4') }, 'folder.mountInside'],
  ['a share on Windows', { ...WINDOWS, real: '\\\\nas\\share\\bind' }, 'folder.unc'],
  ['called with a colon', { ...LINUX, real: '/a:b/bind' }, 'folder.colon'],
  ['a link', { ...LINUX, kind: 'link' }, 'folder.link'],
  ['a file', { ...LINUX, kind: 'other' }, 'folder.notFolder'],
  ['in use', { ...LINUX, kind: 'folder', foreign: ['thesis.doc'] }, 'folder.notEmpty'],
])('a folder for bind mounts that is %s', (_, facts, problem) => {
  expect(bindRootProblem(facts)?.code).toBe(problem);
});

const DISK: FolderFacts = { ...LINUX, real: '/mnt/ssd', kind: 'folder', mounts: mounted('/mnt/ssd', 'xfs') };

it.each<[string, FolderFacts, string | undefined]>([
  ['a mount point with files', { ...DISK, foreign: ['x'] }, undefined],
  ['where users without a home are', { ...DISK, homes: ['/'] }, undefined],
  ['beside a home', { ...DISK, homes: ['/mnt/other'] }, undefined],
  ['in a home', { ...DISK, homes: ['/mnt'] }, 'preset.folderPath'],
  ['around a home', { ...DISK, homes: ['/mnt/ssd/anna'] }, 'preset.folderPath'],
  ['a link', { ...DISK, kind: 'link' }, 'folder.link'],
  ['a file', { ...DISK, kind: 'other' }, 'folder.notFolder'],
  ...['/', '/home/anna', '/home/anna/.ssh', '/root/.ssh', '/var/home/core', '/etc', '/var/lib/mysql'].map(
    (real): [string, FolderFacts, string] => [real, { ...DISK, real }, 'preset.folderPath'],
  ),
])('a disk that a preset names and that is %s', (_, facts, problem) => {
  expect(bindDeviceProblem(facts)?.code).toBe(problem);
});

const MADE = { ...LINUX, real: '/data/bind/whalemark-r-s1', inode: '7' };
const HERE = { path: MADE.real, inode: '7' };

it.each<[string, typeof MADE, { path: string; inode?: string }, string | undefined]>([
  ['where it was made', MADE, HERE, undefined],
  ['made where inodes change', MADE, { path: MADE.real }, undefined],
  ['on a share', { ...MADE, mounts: mounted('/data', 'nfs4') }, HERE, undefined],
  ['somewhere else', MADE, { ...HERE, path: '/data/other' }, 'folder.moved'],
  ['a copy', { ...MADE, inode: '8' }, HERE, 'folder.copied'],
  ['a home by now', { ...MADE, homes: [MADE.real] }, HERE, 'folder.home'],
  ['around a home', { ...MADE, homes: [`${MADE.real}/anna`] }, HERE, 'folder.home'],
  ['a mount point', { ...MADE, mounts: mounted(MADE.real, 'ext4') }, HERE, 'folder.mountPoint'],
  ['around one', { ...MADE, mounts: mounted(`${MADE.real}/data`, 'ext4') }, HERE, 'folder.mountInside'],
])('a marked folder that is %s is deleted only if nothing speaks against it', (_, facts, mark, problem) => {
  expect(removalProblem(facts, mark)?.code).toBe(problem);
});

it('a marked folder is known by its inode only where the file system keeps it', () => {
  expect(keepsInodes(LINUX.mounts, '/data')).toBe(true);
  expect(keepsInodes(mounted('/data', 'exfat'), '/data')).toBe(false);
  expect(keepsInodes([], '/data')).toBe(false);
});

it('mount tables are read with what is escaped in them', () => {
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

it('a folder is on the mount that really holds it', () => {
  const mounts = [
    '22 1 0:21 / / rw,relatime - overlay overlay rw,lowerdir=x',
    '30 22 0:25 / /proc rw - proc proc rw',
    '40 22 254:0 /docker/volumes/v/_data /var/lib/mysql rw,relatime - ext4 /dev/vda rw',
  ].join('\n');
  const folders = ['/var/lib/mysql', '/var/lib/mysql/sbtest', '/var/lib/mysql-files', '/srv/mysql'];
  const found = folders.map((folder) => fileSystemOf(mounts, folder));
  expect(found).toEqual(['ext4', 'ext4', 'overlay', 'overlay']);
  expect(fileSystemOf('', '/srv')).toBeUndefined();
});

/** Short names, so that paths, homes and mounts often meet. */
const name = fc.constantFrom('a', 'b', 'c', 'home', 'var', 'tmp', 'etc', 'mnt', 'anna');
const path = fc.array(name, { maxLength: 5 }).map((names) => `/${names.join('/')}`);
const anyFacts: fc.Arbitrary<FolderFacts> = fc.record({
  platform: fc.constantFrom<NodeJS.Platform>('linux', 'darwin'),
  real: path,
  kind: fc.constantFrom<FolderFacts['kind']>('missing', 'folder', 'link', 'other'),
  foreign: fc.array(name, { maxLength: 2 }),
  homes: fc.array(path, { maxLength: 2 }),
  mounts: fc.array(fc.record({ point: path, type: fc.constant('ext4'), source: fc.constant('x') }), {
    maxLength: 4,
  }),
});

function expectHarmless({ real, homes, mounts, platform }: FolderFacts): void {
  expect(real).not.toBe('/');
  for (const home of homes) expect(isWithin(real, home, platform)).toBe(false);
  for (const { point } of mounts) expect(isWithin(real, point, platform)).toBe(false);
}

it('whatever the machine looks like, no root, home, link, mount point or folder in use is accepted', () => {
  let accepted = 0;
  fc.assert(
    fc.property(anyFacts, (facts) => {
      if (bindRootProblem(facts) !== undefined) return;
      accepted++;
      expectHarmless(facts);
      expect(['missing', 'folder']).toContain(facts.kind);
      expect(facts.foreign).toEqual([]);
      // A folder that is made inside stays inside.
      const inside = posix.join(facts.real, 'whalemark-r-s1', 'data');
      expect(isWithin(facts.real, inside, facts.platform)).toBe(true);
    }),
    { numRuns: 5000 },
  );
  expect(accepted).toBeGreaterThan(100);
});

it('whatever the machine looks like, nothing is deleted that is a root, a home, a mount point, or not where it was made', () => {
  fc.assert(
    fc.property(
      anyFacts,
      fc.option(path, { nil: undefined }),
      fc.constantFrom('1', '2'),
      (facts, made, inode) => {
        if (removalProblem({ ...facts, inode: '1' }, { path: made ?? facts.real, inode }) !== undefined)
          return;
        expectHarmless(facts);
        expect(inode).toBe('1');
        if (made !== undefined) expect(made).toBe(facts.real);
      },
    ),
    { numRuns: 5000 },
  );
});
