import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { englishOf } from '../../../../src/shared/message.ts';
import {
  describeOwner,
  isOnOtherMachine,
  isOwnerAlive,
  isOwnerOnOtherMachine,
  lifeOf,
  ownerOf,
  ownOwner,
  placeOf,
  processSeen,
  takeForEnded,
  type Place,
  type Seen,
} from '../../../../src/benchmark/host/owner.ts';

const [place = '', , startTime = ''] = ownOwner().split('.');

describe('isOwnerAlive', () => {
  it('this process is', () => {
    expect(isOwnerAlive(ownOwner())).toBe('alive');
  });

  it('a process that ended is not', () => {
    const { pid: gone } = spawnSync(process.execPath, ['-e', '']);
    expect(isOwnerAlive(`${place}.${gone}.${startTime}`)).toBe('dead');
  });
});

const HEX = (digit: string): string => digit.repeat(12);
const HERE: Place = { machine: HEX('a'), kernel: { boot: HEX('b'), pids: '4026531836' } };
const RUNNING: Seen = { state: 'S', startTime: '500' };
const owner = ownerOf(HERE, 42, '500');
/** As seen from `there`, where process 42 is `seen`. */
const life = (there: Partial<Place>, seen: Seen): string => lifeOf(owner, { ...HERE, ...there }, () => seen);

describe('the life of an owner', () => {
  it.each<[string, Partial<Place>, Seen, string]>([
    ['that runs here', {}, RUNNING, 'alive'],
    ['that has gone', {}, 'gone', 'dead'],
    ['whose number was given out again', {}, { state: 'S', startTime: '501' }, 'dead'],
    ['that nobody has waited for yet', {}, { state: 'Z', startTime: '500' }, 'dead'],
    ['of another user, of which the system tells nothing', {}, 'hidden', 'unknown'],
    ['on a machine that was renamed meanwhile', { machine: HEX('c') }, RUNNING, 'alive'],
    ['that went before the machine was renamed', { machine: HEX('c') }, 'gone', 'dead'],
    // Number and time since the start are those of a process of today.
    [
      'of before the machine was started again',
      { kernel: { boot: HEX('d'), pids: '4026531836' } },
      RUNNING,
      'dead',
    ],
    [
      'in a container, or of the host of one',
      { kernel: { boot: HEX('b'), pids: '4026532000' } },
      'gone',
      'unknown',
    ],
    [
      'in a container of another name',
      { machine: HEX('c'), kernel: { boot: HEX('b'), pids: '7' } },
      'gone',
      'unknown',
    ],
    [
      'of another machine',
      { machine: HEX('c'), kernel: { boot: HEX('d'), pids: '4026531836' } },
      'gone',
      'unknown',
    ],
  ])('%s', (_, there, seen, expected) => {
    expect(life(there, seen)).toBe(expected);
  });

  it('where no kernel tells, machine and number decide', () => {
    const mac: Place = { machine: HEX('a'), kernel: undefined };
    const plain = ownerOf(mac, 42, '1700000000000');
    expect(plain).toBe(`${HEX('a')}.42.1700000000000`);
    expect(lifeOf(plain, mac, () => 'hidden')).toBe('unknown');
    // It could only estimate its start.
    expect(lifeOf(plain, mac, () => ({ state: 'S', startTime: '1700000001' }))).toBe('unknown');
    const told = ownerOf(mac, 42, '1700000000');
    expect(lifeOf(told, mac, () => ({ state: 'S', startTime: '1700000000' }))).toBe('alive');
    expect(lifeOf(told, mac, () => ({ state: 'S', startTime: '1700000060' }))).toBe('dead');
    expect(lifeOf(told, mac, () => 'hidden')).toBe('unknown');
    expect(lifeOf(plain, mac, () => 'gone')).toBe('dead');
    expect(lifeOf(plain, { ...mac, machine: HEX('b') }, () => 'gone')).toBe('unknown');
  });

  /** Kernels of some machines, each with namespaces and processes; numbers are few, so they collide all the time. */
  const few = fc.integer({ min: 1, max: 3 });
  const someone = fc.record({ machine: few, boot: few, pids: few, pid: few, startTime: few });
  type Someone = typeof someone extends fc.Arbitrary<infer T> ? T : never;
  const placeOfOne = ({ machine, boot, pids }: Someone): Place => ({
    machine: HEX(String(machine)),
    kernel: { boot: `${HEX(String(boot)).slice(1)}${machine}`, pids: String(pids) },
  });

  it('whoever lives is never taken for dead, and whoever died in sight always is', () => {
    fc.assert(
      fc.property(fc.array(someone, { minLength: 2, maxLength: 8 }), someone, (all, gone) => {
        // Of each machine one kernel runs, of each number one process.
        const living = all.filter(
          (one, index) =>
            all.findIndex(({ machine }) => machine === one.machine) === index ||
            (all.find(({ machine }) => machine === one.machine)?.boot === one.boot &&
              all.findIndex((other) => sameNumber(one, other)) === index),
        );
        for (const viewer of living) {
          const see = (wanted: number): Seen => {
            const found = living.find((one) => sameNumber(one, { ...viewer, pid: wanted }));
            return found === undefined ? 'gone' : { state: 'S', startTime: String(found.startTime) };
          };
          const lifeOfOne = (one: Someone): string =>
            lifeOf(ownerOf(placeOfOne(one), one.pid, String(one.startTime)), placeOfOne(viewer), see);
          for (const one of living) expect(lifeOfOne(one)).not.toBe('dead');
          expect(lifeOfOne(viewer)).toBe('alive');
          const lives = living.some((one) => sameNumber(one, gone) && one.startTime === gone.startTime);
          const inSight = viewer.machine === gone.machine && viewer.pids === gone.pids;
          if (!lives && inSight) expect(lifeOfOne(gone)).toBe('dead');
        }
      }),
      { numRuns: 300 },
    );

    function sameNumber(a: Someone, b: Someone): boolean {
      return a.machine === b.machine && a.boot === b.boot && a.pids === b.pids && a.pid === b.pid;
    }
  });

  it('no text makes it fail, or dead', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f.-]{1,60}$/)), (text) => {
        expect(lifeOf(text, HERE, () => 'gone')).toBe('unknown');
      }),
    );
  });
});

it('an owner is of another machine when its label says so, and not when nothing is known', () => {
  const there: Place = { machine: HEX('c'), kernel: { boot: HEX('d'), pids: '4026531836' } };
  expect(isOnOtherMachine(owner, HERE)).toBe(false);
  expect(isOnOtherMachine(owner, there)).toBe(true);
  expect(isOnOtherMachine(owner, { ...there, machine: HEX('a') })).toBe(false);
  // Renamed while its kernel runs.
  expect(isOnOtherMachine(owner, { ...HERE, machine: HEX('c') })).toBe(false);
  for (const text of ['', 'nonsense', 'machine.1.2']) expect(isOnOtherMachine(text, HERE)).toBe(false);
  expect(isOwnerOnOtherMachine(ownOwner())).toBe(false);
});

describe('a process that is there', () => {
  const seen = (platform: string, answers: Record<string, string>) =>
    processSeen(42, {
      platform,
      env: {},
      read: (path) => answers[path] ?? missing(path),
      run: (file, args) => answers[[file, ...args].join(' ')] ?? missing(file),
    });
  const missing = (what: string): never => {
    throw new Error(`ENOENT ${what}`);
  };
  const PS = '/usr/bin/env TZ=UTC LC_ALL=C /bin/ps -o state= -o lstart= -p 42';
  const START = 'StartTime).ToUnixTimeSeconds()';

  it('of Linux is told by /proc', () => {
    const fields = ['S', ...Array.from({ length: 18 }, () => '0'), '4711', '0'];
    expect(seen('linux', { '/proc/42/stat': `42 (a) b) (c) ${fields.join(' ')}` })).toEqual({
      state: 'S',
      startTime: '4711',
    });
    expect(seen('linux', {})).toBeUndefined();
  });

  it('of a Mac is told by ps, to the second', () => {
    expect(seen('darwin', { [PS]: 'S+   Sun Nov  1 09:05:03 2026    \n' })).toEqual({
      state: 'S+',
      startTime: String(Date.UTC(2026, 10, 1, 9, 5, 3) / 1000),
    });
    expect(seen('darwin', { [PS]: 'Z    Mon Nov 23 01:34:07 2026\n' })?.state).toBe('Z');
    for (const said of ['', 'S', 'ps: illegal option'])
      expect(seen('darwin', { [PS]: said })).toBeUndefined();
    expect(seen('darwin', {})).toBeUndefined();
  });

  it.runIf(process.platform === 'linux')('is told so by the real ps, too', () => {
    const { stdout } = spawnSync('env', [
      'TZ=UTC',
      'LC_ALL=C',
      'ps',
      '-o',
      'state=',
      '-o',
      'lstart=',
      '-p',
      String(process.pid),
    ]);
    const started = Number(seen('darwin', { [PS]: stdout.toString() })?.startTime) * 1000;
    expect(Math.abs(started - (Date.now() - process.uptime() * 1000))).toBeLessThan(60_000);
  });

  it('of Windows is told by PowerShell, to the second', () => {
    const asked: string[] = [];
    const answer = (printed: string) =>
      processSeen(42, {
        platform: 'win32',
        env: { SystemRoot: 'D:\\Windows' },
        read: missing,
        run: (file, args) => {
          asked.push([file, ...args].join(' '));
          return printed;
        },
      });
    expect(answer('1795397647\r\n')?.startTime).toBe('1795397647');
    expect(asked[0]).toMatch(/^D:\\Windows\\System32\\.*powershell\.exe .*-Id 42/);
    expect(asked[0]).toContain(START);
    expect(answer('Get-Process : Access is denied')).toBeUndefined();
  });
});

it('an owner that the user says has ended is dead, but never one that certainly lives', () => {
  const away = '0123456789ab-0123456789ab-7.4711.1';
  expect([isOwnerAlive(away), isOwnerOnOtherMachine(away)]).toEqual(['unknown', true]);
  takeForEnded([away, ownOwner()]);
  expect([isOwnerAlive(away), isOwnerOnOtherMachine(away)]).toEqual(['dead', false]);
  expect(isOwnerAlive(ownOwner())).toBe('alive');
});

it('an owner is described by its number and its place', () => {
  const described = (text: string) => englishOf(describeOwner(text, HERE));
  const texts = [
    described(owner),
    described(ownerOf({ ...HERE, kernel: { boot: HEX('b'), pids: '7' } }, 42, '500')),
    described(ownerOf({ machine: HEX('c'), kernel: undefined }, 42, '500')),
    described('nonsense'),
  ];
  expect(new Set(texts).size).toBe(4);
  for (const text of texts.slice(0, 3)) expect(text).toContain('42');
});

describe('the place of a process', () => {
  const FILES: Record<string, string> = {
    '/proc/sys/kernel/random/boot_id': 'e2534d2b-0c62-4a16-9c43-56eeb048e65d\n',
    '/proc/self/ns/pid': 'pid:[4026531836]',
    '/etc/machine-id': '3d1219c7c4c5404aaa1f6d2a48adfda4\n',
  };
  const placeWith = (
    changed: Record<string, string | undefined>,
    hostname = 'ubuntu',
    platform = 'linux',
  ): Place => {
    const read = (path: string): string => {
      const text = { ...FILES, ...changed }[path];
      if (text === undefined) throw new Error(`ENOENT ${path}`);
      return text;
    };
    return placeOf({
      ...{ platform, hostname, env: {}, read, readLink: read },
      run: (file) => changed[file] ?? fail(file),
      keptId: () => changed['kept'],
    });
  };
  const fail = (file: string): never => {
    throw new Error(`ETIMEDOUT ${file}`);
  };
  const here = placeWith({});

  it('tells machines of the same name apart, and hides what they are called', () => {
    expect(placeWith({})).toEqual(here);
    expect(placeWith({ '/etc/machine-id': 'ffff' }).machine).not.toBe(here.machine);
    expect(placeWith({}, 'debian').machine).not.toBe(here.machine);
    // A WSL distribution is called as its Windows is.
    expect(placeWith({}, 'ubuntu', 'win32').machine).not.toBe(here.machine);
    expect(JSON.stringify(here)).not.toMatch(/ubuntu|e2534d2b|3d1219c7/);
  });

  it('of a container without an id is only known while its kernel runs', () => {
    const container = { '/etc/machine-id': undefined, '/proc/self/ns/pid': 'pid:[4026532555]' };
    const restarted = { ...container, '/proc/sys/kernel/random/boot_id': 'another' };
    expect(placeWith(container).machine).not.toBe(placeWith(restarted).machine);
    const plain = { '/etc/machine-id': undefined };
    expect(placeWith(plain).machine).toBe(placeWith({ ...restarted, ...FILES, ...plain }).machine);
  });

  const NO_PROC = {
    '/proc/sys/kernel/random/boot_id': undefined,
    '/proc/self/ns/pid': undefined,
    '/etc/machine-id': undefined,
  };
  const IOREG = '/usr/sbin/ioreg';
  const REG = 'C:\\Windows\\System32\\reg.exe';
  const mac = (uuid: string): Record<string, string | undefined> => ({
    ...NO_PROC,
    [IOREG]: `+-o J314sAP  <class IOPlatformExpertDevice, id 0x10000026a, registered>\n    {\n      "IOPlatformUUID" = "${uuid}"\n    }\n`,
  });
  const windows = (guid: string): Record<string, string | undefined> => ({
    ...NO_PROC,
    [REG]: `\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Cryptography\r\n    MachineGuid    REG_SZ    ${guid}\r\n\r\n`,
  });
  const [ONE, TWO] = ['9f8e7d6c-0000-4111-8222-333344445555', '0A1B2C3D-0000-4111-8222-333344445555'];

  it('a Mac is its hardware: two of one name are two, and one in another network is the same', () => {
    const home = placeWith(mac(ONE), 'macbook.local', 'darwin');
    expect(placeWith(mac(TWO), 'macbook.local', 'darwin').machine).not.toBe(home.machine);
    expect(placeWith(mac(ONE), 'dhcp-17.example.org', 'darwin')).toEqual(home);
    expect(lifeOf(ownerOf(home, 42, '1'), placeWith(mac(TWO), 'macbook.local', 'darwin'), () => 'gone')).toBe(
      'unknown',
    );
    const moved = placeWith(mac(ONE), 'dhcp-17.example.org', 'darwin');
    expect(lifeOf(ownerOf(home, 42, '1'), moved, () => 'gone')).toBe('dead');
    expect(JSON.stringify(home)).not.toContain(ONE.slice(0, 8));
  });

  it('a Windows is its installation and its name: a copied disk has the same number', () => {
    const here = placeWith(windows(ONE), 'DESKTOP', 'win32');
    expect(placeWith(windows(ONE), 'DESKTOP', 'win32')).toEqual(here);
    expect(placeWith(windows(TWO), 'DESKTOP', 'win32').machine).not.toBe(here.machine);
    expect(placeWith(windows(ONE), 'LAPTOP', 'win32').machine).not.toBe(here.machine);
  });

  it('has a number of its own where the system tells none, and its name where that can’t be kept', () => {
    for (const platform of ['darwin', 'win32', 'linux']) {
      const silent = { ...NO_PROC, kept: ONE };
      const here = placeWith(silent, 'localhost', platform);
      expect(placeWith(silent, 'localhost', platform)).toEqual(here);
      expect(placeWith({ ...silent, kept: TWO }, 'localhost', platform).machine).not.toBe(here.machine);
      // A home on a file server is of many machines.
      expect(placeWith(silent, 'other', platform).machine).not.toBe(here.machine);
      const nameless = placeWith(NO_PROC, 'localhost', platform);
      expect(nameless.machine).not.toBe(here.machine);
      expect(placeWith(NO_PROC, 'localhost', platform)).toEqual(nameless);
      expect(placeWith(NO_PROC, 'other', platform).machine).not.toBe(nameless.machine);
    }
  });

  it('has no kernel where nothing tells of one', () => {
    expect(placeWith({ '/proc/self/ns/pid': undefined }).kernel).toBeUndefined();
    expect(
      placeWith({ '/proc/sys/kernel/random/boot_id': undefined }, 'mac', 'darwin').kernel,
    ).toBeUndefined();
  });
});
