import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deadOwner } from '../../../helpers/owners.ts';
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
} from '../../../../src/benchmark/owners/owner.ts';

it('this process is alive, and one that ended is not', () => {
  expect([ownOwner(), deadOwner()].map(isOwnerAlive)).toEqual(['alive', 'dead']);
});

const HEX = (digit: string): string => digit.repeat(12);
const HERE: Place = { machine: HEX('a'), kernel: { boot: HEX('b'), pids: '4026531836' } };
const RUNNING: Seen = { state: 'S', startTime: '500' };
const owner = ownerOf(HERE, 42, '500');
/** The owner's life as seen from `there`, where process 42 is `seen`. */
const life = (there: Partial<Place>, seen: Seen): string => lifeOf(owner, { ...HERE, ...there }, () => seen);

describe('the life of an owner', () => {
  const reborn = { boot: HEX('d'), pids: '4026531836' };
  const contained = { boot: HEX('b'), pids: '4026532000' };
  it.each<[string, Partial<Place>, Seen, string]>([
    ['that runs here', {}, RUNNING, 'alive'],
    ['that has gone', {}, 'gone', 'dead'],
    ['whose number was given out again', {}, { state: 'S', startTime: '501' }, 'dead'],
    ['that nobody has waited for yet', {}, { state: 'Z', startTime: '500' }, 'dead'],
    ['of another user, of which the system tells nothing', {}, 'hidden', 'unknown'],
    ['on a machine that was renamed meanwhile', { machine: HEX('c') }, RUNNING, 'alive'],
    ['that went before the machine was renamed', { machine: HEX('c') }, 'gone', 'dead'],
    // Number and time since the start are those of a process of today.
    ['of before the machine was started again', { kernel: reborn }, RUNNING, 'dead'],
    ['in a container, or of the host of one', { kernel: contained }, 'gone', 'unknown'],
    ['in a container of another name', { machine: HEX('c'), kernel: contained }, 'gone', 'unknown'],
    ['of another machine', { machine: HEX('c'), kernel: reborn }, 'gone', 'unknown'],
  ])('%s', (_, there, seen, expected) => {
    expect(life(there, seen)).toBe(expected);
  });

  it('where no kernel tells, machine and number decide', () => {
    const mac: Place = { machine: HEX('a'), kernel: undefined };
    const running = (startTime: string): Seen => ({ state: 'S', startTime });
    const [plain, told] = [ownerOf(mac, 42, '1700000000000'), ownerOf(mac, 42, '1700000000')];
    expect(plain).toBe(`${HEX('a')}.42.1700000000000`);
    // The owner could only estimate its start.
    const seen: Seen[] = ['hidden', running('1700000001'), 'gone'];
    expect(seen.map((one) => lifeOf(plain, mac, () => one))).toEqual(['unknown', 'unknown', 'dead']);
    const others: Seen[] = [running('1700000000'), running('1700000060'), 'hidden'];
    expect(others.map((one) => lifeOf(told, mac, () => one))).toEqual(['alive', 'dead', 'unknown']);
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
        // Each machine has one running kernel, and each number one process.
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
          expect(living.map(lifeOfOne)).not.toContain('dead');
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

const PS = '/usr/bin/env TZ=UTC LC_ALL=C /bin/ps -o state= -o lstart= -p 42';
const SHELL =
  'D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe -NoProfile -NonInteractive -Command ' +
  '[DateTimeOffset]::new((Get-Process -Id 42).StartTime).ToUnixTimeSeconds()';
const STAT = `42 (a) b) (c) ${['S', ...Array.from({ length: 18 }, () => '0'), '4711', '0'].join(' ')}`;
const NOVEMBER = String(Date.UTC(2026, 10, 1, 9, 5, 3) / 1000);

/** A system that reports only this. */
const answering =
  (told: Record<string, string>) =>
  (key: string): string => {
    const text = told[key];
    if (text === undefined) throw new Error(`ENOENT ${key}`);
    return text;
  };

/** Process 42 by file or command line of the system. */
function seenIn(platform: string, told: Record<string, string>): Seen | undefined {
  const answer = answering(told);
  const run = (file: string, args: string[]): string => answer([file, ...args].join(' '));
  return processSeen(42, { platform, env: { SystemRoot: 'D:\\Windows' }, read: answer, run });
}

it.each<[string, Record<string, string>, Seen | undefined]>([
  ['linux', { '/proc/42/stat': STAT }, { state: 'S', startTime: '4711' }],
  ['linux', {}, undefined],
  ['darwin', { [PS]: 'S+   Sun Nov  1 09:05:03 2026    \n' }, { state: 'S+', startTime: NOVEMBER }],
  ['darwin', { [PS]: 'Z    Sun Nov  1 09:05:03 2026\n' }, { state: 'Z', startTime: NOVEMBER }],
  ...['', 'S', 'ps: illegal option'].map((said): [string, Record<string, string>, undefined] => [
    'darwin',
    { [PS]: said },
    undefined,
  ]),
  ['darwin', {}, undefined],
  ['win32', { [SHELL]: '1795397647\r\n' }, { state: '', startTime: '1795397647' }],
  ['win32', { [SHELL]: 'Get-Process : Access is denied' }, undefined],
])('a process of %s of which the system tells %j', (platform, told, expected) => {
  expect(seenIn(platform, told)).toEqual(expected);
});

it.runIf(process.platform === 'linux')('the real ps tells a process as that of a Mac does', () => {
  const ps = ['TZ=UTC', 'LC_ALL=C', 'ps', '-o', 'state=', '-o', 'lstart=', '-p', String(process.pid)];
  const seen = seenIn('darwin', { [PS]: spawnSync('env', ps).stdout.toString() });
  const started = typeof seen === 'object' ? Number(seen.startTime) * 1000 : 0;
  expect(Math.abs(started - (Date.now() - process.uptime() * 1000))).toBeLessThan(60_000);
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
  const places: Place[] = [
    HERE,
    { ...HERE, kernel: { boot: HEX('b'), pids: '7' } },
    { machine: HEX('c'), kernel: undefined },
  ];
  const texts = places.map((place) => described(ownerOf(place, 42, '500')));
  expect(new Set([...texts, described('nonsense')]).size).toBe(4);
  for (const text of texts) expect(text).toContain('42');
});

const [BOOT, PIDS, ID] = ['/proc/sys/kernel/random/boot_id', '/proc/self/ns/pid', '/etc/machine-id'] as const;
const [ONE, TWO] = ['9f8e7d6c-0000-4111-8222-333344445555', '0A1B2C3D-0000-4111-8222-333344445555'];

interface Machine {
  platform?: string;
  hostname?: string;
  /** Files, links, and what commands print. */
  told: Record<string, string>;
}

function placeWith({ platform = 'linux', hostname = 'ubuntu', told }: Machine): Place {
  const answer = answering(told);
  return placeOf({
    ...{ platform, hostname, env: {}, read: answer, readLink: answer },
    run: (file) => answer(file),
  });
}

const PROC = { [BOOT]: 'e2534d2b-0c62-4a16-9c43-56eeb048e65d\n', [PIDS]: 'pid:[4026531836]' };
const LINUX = { told: { ...PROC, [ID]: '3d1219c7c4c5404aaa1f6d2a48adfda4\n' } };
const mac = (uuid: string, hostname = 'macbook.local'): Machine => ({
  ...{ platform: 'darwin', hostname },
  told: {
    '/usr/sbin/ioreg': `      "IOPlatformUUID" = "${uuid}"\n`,
  },
});
const windows = (guid: string, hostname = 'DESKTOP'): Machine => ({
  ...{ platform: 'win32', hostname },
  told: {
    'C:\\Windows\\System32\\reg.exe': `    MachineGuid    REG_SZ    ${guid}\r\n`,
  },
});
const silent = (hostname: string): Machine => ({ platform: 'darwin', hostname, told: {} });

it.each<[string, 'one machine' | 'two machines', Machine, Machine]>([
  ['Linux', 'one machine', LINUX, LINUX],
  ['Linux with another ID', 'two machines', LINUX, { told: { ...PROC, [ID]: 'ffff' } }],
  ['Linux of another name, on a copied disk', 'two machines', LINUX, { ...LINUX, hostname: 'debian' }],
  ['a WSL distribution, called like its Windows', 'two machines', LINUX, { ...LINUX, platform: 'win32' }],
  ['Linux without an ID', 'one machine', { told: PROC }, { told: PROC }],
  ['Linux without an ID, started again', 'two machines', { told: PROC }, { told: { ...PROC, [BOOT]: 'x' } }],
  ['a Mac in another network', 'one machine', mac(ONE), mac(ONE, 'dhcp-17.example.org')],
  ['Macs of one name', 'two machines', mac(ONE), mac(TWO)],
  ['Windows', 'one machine', windows(ONE), windows(ONE)],
  ['installations of Windows', 'two machines', windows(ONE), windows(TWO)],
  ['Windows with another name', 'two machines', windows(ONE), windows(ONE, 'LAPTOP')],
  ['a Mac that tells nothing', 'one machine', silent('a'), silent('a')],
  ['Macs of other names that tell nothing', 'two machines', silent('a'), silent('b')],
])('%s: %s', (_, machines, first, second) => {
  const [one, other] = [placeWith(first), placeWith(second)];
  expect(one.machine === other.machine).toBe(machines === 'one machine');
  // Without a kernel, the machine alone decides.
  const seen = lifeOf(ownerOf(one, 42, '1'), other, () => 'gone');
  if (one.kernel === undefined) expect(seen).toBe(machines === 'one machine' ? 'dead' : 'unknown');
  expect(JSON.stringify([one, other])).not.toMatch(/ubuntu|e2534d2b|3d1219c7|9f8e7d6c|macbook/);
});

it('a place has no kernel where only a part of it is told', () => {
  expect(placeWith({ told: { [BOOT]: 'a' } }).kernel).toBeUndefined();
  expect(placeWith({ told: { [PIDS]: 'pid:[1]' } }).kernel).toBeUndefined();
});
