import type { Message, MessageCode } from '../message.ts';
import { isTakenFolder } from './taken-folders.ts';
import type { NfsSpec, StorageOptions } from './storage-options.ts';

/**
 * File systems with data, and options that mount nothing else, since the engine mounts as root. Sources:
 * mount(8), ext4(5), xfs(5), btrfs(5), nfs(5), mount.cifs(8), tmpfs(5).
 */
const COMMON = words(`
  rw ro defaults atime noatime relatime strictatime diratime nodiratime lazytime sync async dirsync nosuid
  nodev noexec exec silent discard nodiscard
`);
const EXT = words(`
  data barrier nobarrier commit delalloc nodelalloc stripe errors dioread_nolock journal_checksum
  nojournal_checksum journal_async_commit auto_da_alloc noauto_da_alloc noload max_batch_time min_batch_time
  journal_ioprio inode_readahead_blks i_version acl noacl
`);
const XFS = words('inode32 inode64 logbufs logbsize allocsize largeio nolargeio noalign swalloc');
const BTRFS = words(`
  compress compress-force datacow nodatacow datasum nodatasum autodefrag noautodefrag ssd nossd ssd_spread
  space_cache nospace_cache commit barrier nobarrier flushoncommit noflushoncommit max_inline thread_pool
  treelog notreelog subvol subvolid
`);
const NFS = words(`
  addr nfsvers vers minorversion soft softerr hard intr nointr lock nolock local_lock rsize wsize timeo
  retrans retry proto tcp udp port mountport mountproto mountvers mountaddr clientaddr ac noac acregmin
  acregmax acdirmin acdirmax actimeo cto nocto sec nconnect max_connect fsc nofsc fg bg resvport noresvport
  rdirplus nordirplus sharecache nosharecache lookupcache xprtsec
`);
const CIFS = words(`
  addr ip port username user password pass domain dom vers sec seal guest uid gid forceuid forcegid
  file_mode dir_mode cache rsize wsize actimeo soft hard perm noperm nobrl brl mfsymlinks iocharset
  serverino noserverino multichannel nostrictsync strictsync nolease persistenthandles resilienthandles
`);
const TMPFS = words('size nr_blocks nr_inodes mode uid gid huge mpol swap noswap');
const FAT = words('uid gid umask fmask dmask iocharset flush errors sys_immutable windows_names');

const TYPES: Readonly<Record<string, readonly string[]>> = {
  ext2: EXT,
  ext3: EXT,
  ext4: EXT,
  xfs: XFS,
  btrfs: BTRFS,
  f2fs: words('background_gc fsync_mode mode nobarrier barrier checkpoint compress_algorithm'),
  jfs: [],
  zfs: [],
  bcachefs: [],
  vfat: FAT,
  exfat: FAT,
  ntfs3: FAT,
  nfs: NFS,
  nfs4: NFS,
  cifs: CIFS,
  smb3: CIFS,
  tmpfs: TMPFS,
  none: ['bind'],
};

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** A comma ends a value; some kernel parsers interpret quotes and backslashes. */
const VALUE = /^[^\p{Cc},"'\\]*$/u;
/** A name or an IP address, as `addr=` takes it. */
const ADDRESS = /^[0-9A-Za-z][0-9A-Za-z.:_%-]*$|^:[0-9A-Fa-f:.]+(?:%[\w.-]+)?$/;
const NO_DISK = ['nfs', 'nfs4', 'cifs', 'smb3', 'tmpfs', 'none'];

export function isOnDisk(type: string): boolean {
  return Object.hasOwn(TYPES, type) && !NO_DISK.includes(type);
}

interface OptionProblem {
  field: 'nfs.address' | 'nfs.path' | 'options.type' | 'options.device' | 'options.o';
  code: MessageCode;
  params?: Message['params'];
}

export function optionProblem(storage: StorageOptions): OptionProblem | undefined {
  if (storage.nfs !== undefined) return nfsProblem(storage.nfs);
  if (storage.options !== undefined) return givenProblem(storage.options);
  return undefined;
}

function nfsProblem({ address, path }: NfsSpec): OptionProblem | undefined {
  if (!ADDRESS.test(address)) return { field: 'nfs.address', code: 'preset.nfsHostOnly' };
  return /^\/[^\p{Cc}\s,]*$/u.test(path) ? undefined : { field: 'nfs.path', code: 'preset.nfsPathPlain' };
}

function givenProblem({
  type,
  device,
  o,
}: NonNullable<StorageOptions['options']>): OptionProblem | undefined {
  const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (known === undefined) {
    const options = Object.keys(TYPES).join(', ');
    return { field: 'options.type', code: 'field.option', params: { options } };
  }
  if (!/^[^\p{Cc}]+$/u.test(device)) return { field: 'options.device', code: 'preset.controlCharacters' };
  // The engine would resolve other names relative to itself; zfs has names of datasets.
  if (isOnDisk(type) && type !== 'zfs' && !device.startsWith('/')) {
    return { field: 'options.device', code: 'preset.diskPath' };
  }
  const keys: string[] = [];
  for (const option of o === undefined || o === '' ? [] : o.split(',')) {
    const [, key = '', value = ''] = /^([^=]*)(?:=(.*))?$/s.exec(option) ?? [];
    if (!known.includes(key) && !COMMON.includes(key)) {
      return { field: 'options.o', code: 'preset.mountOption', params: { name: key, type } };
    }
    if (!VALUE.test(value)) {
      return { field: 'options.o', code: 'preset.mountOptionValue', params: { name: key } };
    }
    keys.push(key);
  }
  return type === 'none' ? bindProblem(device, keys) : undefined;
}

/** Folders of the user and the system must not be used. */
function bindProblem(device: string, keys: string[]): OptionProblem | undefined {
  if (!keys.includes('bind')) return { field: 'options.o', code: 'preset.needsBind' };
  const isPlain = device.startsWith('/') && !/\/\.{0,2}(?:\/|$)/.test(device.replace(/(?<=.)\/$/, ''));
  return !isPlain || isTakenFolder(device)
    ? { field: 'options.device', code: 'preset.folderPath' }
    : undefined;
}
