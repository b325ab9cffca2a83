import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { englishOf } from '../../../../src/shared/message.ts';
import { driverOptions, type NfsSpec } from '../../../../src/shared/kinds/storage-options.ts';
import { checkedDriverOptions } from '../../../../src/benchmark/servers/storage/volume-options.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { presetSchema } from '../../../../src/shared/model/preset.ts';
import { optionProblem } from '../../../../src/shared/kinds/mount-options.ts';

const nfs = (fields: Partial<NfsSpec>): { nfs: NfsSpec } => ({
  nfs: { address: 'nas', path: '/x', version: '4.2', soft: false, lock: true, ...fields },
});
const field = (type: string, device: string, o?: string): string | undefined =>
  optionProblem({ options: { type, device, ...(o === undefined ? {} : { o }) } })?.field;

describe('mount options of a preset', () => {
  it.each([
    ['ext4', '/dev/sdb1', 'noatime,data=ordered'],
    ['xfs', '/dev/sdb1', undefined],
    ['tmpfs', 'tmpfs', 'size=512m'],
    ['nfs', ':/export', 'addr=10.0.0.2,rw,nfsvers=3,soft,nolock,timeo=600'],
    ['cifs', '//nas/share', 'username=anna,password=a=b$c,vers=3.0,addr=10.0.0.2'],
    ['none', '/mnt/external', 'bind'],
    ['none', '/media/anna/my disk/', 'bind,noatime'],
    ['none', '/mnt/disk/Users', 'bind'],
    ['none', '/mnt/d/bench', 'bind'],
    ['none', '/var/mnt/disk', 'bind'],
    ['none', '/rooted/x', 'bind'],
    ['zfs', 'tank/mysql', undefined],
  ])('may be %s of %s with %s', (type, device, o) => {
    expect(field(type, device, o)).toBeUndefined();
  });

  it.each([
    ['overlay', 'overlay', 'lowerdir=/etc,upperdir=/a,workdir=/b', 'options.type'],
    ['proc', 'proc', undefined, 'options.type'],
    ['constructor', 'x', undefined, 'options.type'],
    ['fuse.sshfs', 'me@nas:', undefined, 'options.type'],
    ['ext4', '/dev/sdb1', 'suid', 'options.o'],
    ['ext4', '/dev/sdb1', 'bind', 'options.o'],
    ['ext4', '/dev/sdb1', 'noatime,,rw', 'options.o'],
    ['ext4', '/dev/sdb1', 'noatime,remount', 'options.o'],
    ['tmpfs', 'tmpfs', 'size=1m\0', 'options.o'],
    ['cifs', '//nas/share', 'sep=;,username=a', 'options.o'],
    ['ext4', '/dev/sdb1\n', undefined, 'options.device'],
    ['none', '/mnt/external', 'rbind', 'options.o'],
    ['none', '/mnt/external', undefined, 'options.o'],
    ['none', '/', 'bind', 'options.device'],
    ['none', '//', 'bind', 'options.device'],
    ['none', '/etc', 'bind', 'options.device'],
    ['none', '/mnt/../etc', 'bind', 'options.device'],
    ['none', '/mnt/./x', 'bind', 'options.device'],
    ['none', '/var/lib/mysql', 'bind', 'options.device'],
    ['none', '/var/run/docker.sock', 'bind', 'options.device'],
    ['none', '/run/media', 'bind', 'options.device'],
    ['none', 'relative', 'bind', 'options.device'],
    ['none', '/mnt/c', 'bind', 'options.device'],
    ['none', '/mnt/C/Program Files (x86)/x', 'bind', 'options.device'],
    ['none', '/mnt/host/c/Users', 'bind', 'options.device'],
    ['none', '/sysroot/ostree', 'bind', 'options.device'],
    ['none', '/.snapshots', 'bind', 'options.device'],
    ['none', '/Uſers/me', 'bind', 'options.device'],
    ['ext4', 'dev/sda2', undefined, 'options.device'],
    ['xfs', 'LABEL=data', undefined, 'options.device'],
  ])('are refused: %s of %j with %j', (type, device, o, expected) => {
    expect(field(type, device, o)).toBe(expected);
  });

  it.each([
    ['nas.lan', undefined],
    ['10.0.0.2', undefined],
    ['fe80::1%eth0', undefined],
    ['::1', undefined],
    ['nas,exec', 'nfs.address'],
    ['1.2.3.4,exec', 'nfs.address'],
    ['nas\nexec', 'nfs.address'],
    ['nas exec', 'nfs.address'],
    ['-nas', 'nfs.address'],
    ['', 'nfs.address'],
  ])('come from an NFS address %j only when it is one', (address, expected) => {
    expect(optionProblem(nfs({ address }))?.field).toBe(expected);
  });

  it.each(['/x,exec', '/x y', '/x\nexec', '/x\0'])('come from no NFS path such as %j', (path) => {
    expect(optionProblem(nfs({ path }))?.field).toBe('nfs.path');
  });

  it('are told with the field of the preset', () => {
    const parsed = presetSchema.safeParse({
      whalemark: 1,
      id: 'a',
      name: 'A',
      question: 'A?',
      storages: {
        far: { kind: 'nfs', nfs: { address: 'nas,exec', path: '/x' } },
        host: { kind: 'volume-options', options: { type: 'none', o: 'bind', device: '/' } },
      },
      grid: { storages: ['far', 'host'], paths: ['published-port'] },
      baseline: 'far.published-port',
      schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 1 },
    });
    expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toEqual([
      'storages.far.nfs.address',
      'storages.host.options.device',
    ]);
  });
});

/** Text that tries to add options: separators, options, and ordinary words. */
const PIECES = [...',=\n\0 "\\;:/', 'exec', 'suid', 'bind', 'remount', 'addr=1.2.3.4'];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 6 })
  .map((parts) => parts.join(''));

/** The names of options that the kernel would read. */
const keysOf = (o: string): string[] => o.split(',').map((option) => option.replace(/=.*$/s, ''));

function composed(storage: Parameters<typeof checkedDriverOptions>[0]): Record<string, string> | undefined {
  try {
    return checkedDriverOptions(storage);
  } catch (error) {
    expect(error).toBeInstanceOf(BenchmarkError);
    expect((error as BenchmarkError).evidence.map(englishOf).join()).toMatch(/^(nfs|options)\.\w+: /);
    return undefined;
  }
}

describe('whatever a preset says', () => {
  it('an NFS export has the options that its words mean, or is refused with the field', () => {
    let taken = 0;
    const text = fc.oneof(hostile, fc.domain(), fc.ipV4(), fc.ipV6());
    const tail = fc.oneof(hostile, fc.constant('/export'));
    fc.assert(
      fc.property(text, tail, fc.boolean(), fc.boolean(), (address, end, soft, lock) => {
        const made = composed(nfs({ address, path: `/${end}`.replace('//', '/'), soft, lock }));
        if (made === undefined) return;
        taken++;
        const wanted = ['addr', 'rw', 'nfsvers', soft ? 'soft' : 'hard', ...(lock ? [] : ['nolock'])];
        expect(keysOf(made['o'] ?? '')).toEqual(wanted);
        expect(JSON.stringify(made)).not.toMatch(/\\[nu0]/);
        expect(Object.keys(made).sort()).toEqual(['device', 'o', 'type']);
      }),
      { numRuns: 3000 },
    );
    expect(taken).toBeGreaterThan(100);
  });

  it('even shown, an NFS export of a stranger’s result has no more options than that', () => {
    fc.assert(
      fc.property(hostile, (address) => {
        const o = driverOptions(nfs({ address }))['o'] ?? '';
        expect(keysOf(o)).toEqual(['addr', 'rw', 'nfsvers', 'hard']);
      }),
    );
  });

  it('no folder in a home is mounted, however it is written, and every one on a disk of its own is', () => {
    const name = fc
      .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 })
      .filter((text) => !/[/\0]/.test(text) && !/^\.{1,2}$/.test(text));
    const inside = fc.array(name, { maxLength: 4 }).map((names) => names.map((one) => `/${one}`).join(''));
    const cased = (word: string) =>
      fc
        .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
        .map((upper) =>
          [...word].map((letter, at) => (upper[at] === true ? letter.toUpperCase() : letter)).join(''),
        );
    const homes = ['root', 'home', 'users', 'host_mnt', 'mnt/c/users', 'mnt/z/users', 'var/home'];
    const home = fc.constantFrom(...homes, 'private/var/root').chain(cased);
    fc.assert(
      fc.property(home, inside, fc.constantFrom('', '/'), (place, rest, end) => {
        expect(field('none', `/${place}${rest}${end}`, 'bind')).toBe('options.device');
      }),
      { numRuns: 2000 },
    );
    const free = fc.constantFrom('srv', 'data', 'mnt/disk', 'media/anna', 'run/media/anna', 'opt', 'Volumes');
    fc.assert(
      fc.property(free, name, inside, (place, own, rest) => {
        expect(field('none', `/${place}/${own}${rest}`, 'bind')).toBeUndefined();
      }),
    );
  });

  it('driver options never name a file system or an option that is not on the list', () => {
    const option = fc.oneof(hostile, fc.constantFrom('noatime', 'size=1m', 'bind', 'soft', 'data=ordered'));
    const o = fc.array(option, { maxLength: 4 }).map((parts) => parts.join(','));
    const type = fc.oneof(
      fc.constantFrom('ext4', 'nfs', 'tmpfs', 'none', 'overlay', '__proto__', 'cifs'),
      hostile,
    );
    const device = fc.oneof(hostile, fc.constantFrom('/dev/sdb1', '/mnt/x', '/', '/etc/x', '/mnt/../etc'));
    let taken = 0;
    fc.assert(
      fc.property(type, device, o, (...[givenType, givenDevice, givenO]) => {
        const made = composed({ options: { type: givenType, device: givenDevice, o: givenO } });
        if (made === undefined) return;
        taken++;
        expect(['ext4', 'nfs', 'tmpfs', 'none', 'cifs']).toContain(made['type']);
        for (const key of givenO === '' ? [] : keysOf(givenO)) {
          expect(['suid', 'dev', 'rbind', 'remount', 'move', 'context', 'lowerdir', '']).not.toContain(key);
          if (key === 'bind') expect(givenType).toBe('none');
        }
        if (givenType === 'none') expect(givenDevice).not.toMatch(/\.\.|^\/(etc)?$/);
        expect(JSON.stringify(made)).not.toMatch(/\\[nu0]/);
      }),
      { numRuns: 5000 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});
