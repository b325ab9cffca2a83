import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../src/benchmark/random.ts';
import { ownHost, type HostSource } from '../../../../../src/benchmark/host/host-source.ts';
import { probeFlush, timeFlushes } from '../../../../../src/benchmark/servers/storage/flush-meter.ts';
import { sharedFolder } from '../../../../helpers/folders.ts';

const folder = sharedFolder();

/** Runs a command of an engine's exec on this machine. */
function exec(env: NodeJS.ProcessEnv = process.env) {
  return ([file = '', ...args]: string[]) =>
    new Promise<{ exitCode: number; stdout: string; stderr: string }>((resolve) => {
      execFile(file, args, { env }, (error, stdout, stderr) =>
        resolve({ exitCode: error === null ? 0 : 1, stdout, stderr }),
      );
    });
}

const said = (text: string) => () => Promise.resolve({ exitCode: 0, stdout: text, stderr: '' });
const took = (...seconds: string[]): string =>
  seconds
    .map((one) => `1+0 records in\n1+0 records out\n4096 bytes (4.1 kB) copied, ${one} s, 36 MB/s\n`)
    .join('');
const stat = (writes: number, flushes: number): string =>
  `101120 11655  4957690    85276 ${writes}   168899 15458744   489665        0    69728   632686    93717      165  8303784    43027    ${flushes}    14720`;
type Disk = [name: string, cache: string, writes: number, flushes: number];
const disks = (turn: number, ...all: Disk[]): string =>
  all
    .map(([name, cache, writes, flushes]) => `disk ${turn} ${name} ${cache}: ${stat(writes, flushes)}\n`)
    .join('');

describe('the flush meter in a container', () => {
  it('leaves out what a dd needs without a flush, and the write of the file before', async () => {
    const rounds = [took('2e-05', '0.00003', '0.00102'), took('2e-05', '3e-05', '0.00202')];
    const text = `${took('0.5')}began\n${rounds.join('')}${took('1e-05', '3e-05', '0.00052')}`;
    expect(await probeFlush(said(text), '/data')).toEqual({
      ...{ medianUs: 1000, p10Us: 500, p99Us: 2000, flushes: 3 },
      ...{ disk: null, isVirtual: false, mostUs: null, mostAddedUs: null },
    });
  });

  // Medians of a start, a write, and a flush, µs.
  it.each([
    ['a disk', [30, 32, 254], 10, { most: [220, 240], added: [218, 238] }],
    ['memory', [18, 20, 20], 10, { most: [2, 15], added: [0, 13] }],
    ['a share that writes at once, in a quiet machine', [300, 12_800, 8540], 300, { most: [8e3, 9e3] }],
    ['a disk of a busy machine without a figure', [600, 600, 600], 2000, undefined],
  ] as const)('reads %s', async (_, medians, scatterUs, bounds) => {
    const random = createRandom(56);
    const scattered = (us: number): string => ((us + scatterUs * (2 * random() - 1)) / 1e6).toFixed(9);
    const text = Array.from({ length: 200 }, () => took(...medians.map(scattered))).join('');
    const flush = await probeFlush(said(`began\n${text.replaceAll('copied, -', 'copied, ')}`), '/data');
    if (bounds === undefined) {
      expect(flush).toBeUndefined();
      return;
    }
    const within = (value: number | null | undefined, [least, most]: readonly [number, number]): void => {
      expect(value).toBeGreaterThanOrEqual(least);
      expect(value).toBeLessThanOrEqual(most);
    };
    within(flush?.mostUs, bounds.most);
    if ('added' in bounds) within(flush?.mostAddedUs, bounds.added);
  });

  it('puts the bound above the median where slow starts come with slow flushes', async () => {
    const [fast, slow] = [took('0.0001', '0.0001', '0.0004'), took('0.0006', '0.0001', '0.0007')];
    const text = (fast + slow + took('0.0001', '0.0001', '0.0002')).repeat(80);
    const flush = await probeFlush(said(`began\n${text}`), '/data');
    expect(flush?.mostUs).toBeGreaterThanOrEqual(flush?.medianUs ?? Infinity);
  });

  const OTHER: Disk = ['nvme0n1', 'write through', 900, 100];
  it.each<[string, Disk[], unknown]>([
    ['of the disk with a cache', [['sda', 'write back', 500, 103]], { commands: 3, hasCache: true }],
    ['of a disk without a cache', [['sda', 'write through', 504, 100]], { commands: 4, hasCache: false }],
    ['of no loop device', [['loop0', 'write back', 500, 103]], null],
    [
      'of the one with a cache that got them',
      [['sda', 'write back', 500, 103], OTHER],
      { commands: 3, hasCache: true },
    ],
    ['of no disk, where it may be the other', [['sda', 'write back', 500, 100], OTHER], null],
  ])('counts commands %s', async (_, after, disk) => {
    const before = after.map(([name, cache]): Disk => [name, cache, 500, 100]);
    const times = took(...Array.from({ length: 9 }, () => '0.001'));
    const text = `began\n${disks(0, ...before)}${times}${disks(1, ...after)}`;
    expect((await probeFlush(said(text), '/data'))?.disk).toEqual(disk);
  });

  const VIRTUAL = ['virtual\n', 'Amazon EC2\nm7g.large\n', disks(0, ['vda', 'write back', 1, 1])];
  it.each(VIRTUAL)('sees a virtual machine in “%s”', async (text) => {
    const times = took('0.001', '0.001', '0.001');
    expect(await probeFlush(said(`began\n${text}${times}`), '/data')).toMatchObject({ isVirtual: true });
  });

  it('reads BusyBox’s dd', async () => {
    const line = '4096 bytes (4.0KB) copied, 0.005000 seconds, 800.0KB/s\n';
    expect(await probeFlush(said(`began\n${line.repeat(3)}`), '/data')).toMatchObject({ flushes: 1 });
  });

  it('knows nothing where dd fails or says something else', async () => {
    const failing = () => Promise.resolve({ exitCode: 127, stdout: '', stderr: 'dd: not found' });
    expect(await probeFlush(failing, '/data')).toBeUndefined();
    expect(await probeFlush(said('began\ndone'), '/data')).toBeUndefined();
  });

  describe.runIf(process.platform === 'linux')('on this machine', () => {
    it('times 200 flushes, leaves no file, and finds less than half of the wait if a flush does nothing', async () => {
      const own = mkdtempSync(join(folder, 'flush-'));
      const bin = join(folder, 'bin');
      mkdirSync(bin, { recursive: true });
      const dd = `#!/bin/sh\nfor a; do shift; set -- "$@" "\${a%,fdatasync}"; done\nexec /bin/dd "$@"\n`;
      writeFileSync(join(bin, 'dd'), dd);
      chmodSync(join(bin, 'dd'), 0o755);
      const waited = async (env: NodeJS.ProcessEnv): Promise<number> => {
        const flush = await probeFlush(exec(env), own);
        expect(flush?.flushes).toBeGreaterThanOrEqual(200);
        expect(flush?.mostUs).toBeGreaterThanOrEqual(flush?.medianUs ?? Infinity);
        expect(readdirSync(own)).toEqual([]);
        return flush?.mostAddedUs ?? NaN;
      };
      const real = await waited(process.env);
      expect(await waited({ ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` })).toBeLessThan(
        real / 2,
      );
    });
  });
});

describe('the flush meter of this machine', () => {
  it('times at least 200 flushes, leaves no file, and reads the kernel as the one in a container does', async () => {
    let looks = 0;
    const files: Record<string, () => string> = {
      '/sys/block/sda/stat': () => stat(500, 100 + 1000 * looks++),
      '/sys/block/sda/queue/write_cache': () => 'write back\n',
      '/proc/cpuinfo': () => 'flags : fpu hypervisor\n',
    };
    const source: HostSource = {
      ...ownHost(),
      list: (path) => (path === '/sys/block' ? ['sda'] : []),
      read: (path) => files[path]?.(),
    };
    const own = mkdtempSync(join(folder, 'flush-'));
    const flush = await timeFlushes(own, source);
    expect(flush).toMatchObject({ disk: { commands: 1000, hasCache: true }, isVirtual: true });
    expect(flush?.flushes).toBeGreaterThanOrEqual(200);
    expect(flush?.medianUs).toBeGreaterThan(0);
    expect(readdirSync(own)).toEqual([]);
    expect(await timeFlushes(join(own, 'no', 'such'), source)).toBeUndefined();
  });
});
