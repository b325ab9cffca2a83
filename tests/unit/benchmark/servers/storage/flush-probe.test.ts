import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ddSeconds,
  probeFlush,
  probeOwnFlush,
} from '../../../../../src/benchmark/servers/storage/flush-probe.ts';
import { sharedFolder } from '../../../../helpers/folders.ts';

const folder = sharedFolder();

const said = (seconds: string): string =>
  `50+0 records in\n50+0 records out\n204800 bytes (205 kB, 200 KiB) copied, ${seconds} s, 36.1 MB/s\n`;

/** Plays `exec`: answers of dd one after the other. */
function playing(answers: { exitCode: number; stderr: string }[]) {
  const commands: string[][] = [];
  const exec = (command: string[]) => {
    commands.push(command);
    const answer = command[0] === 'rm' ? { exitCode: 0, stderr: '' } : answers.shift();
    return Promise.resolve({ stdout: '', ...(answer ?? { exitCode: 1, stderr: '' }) });
  };
  return { exec, commands };
}

describe('the time of a flush', () => {
  it('is the median run’s mean, and the file goes away', async () => {
    const { exec, commands } = playing(
      ['0.05', '1.5', '0.01'].map((seconds) => ({ exitCode: 0, stderr: said(seconds) })),
    );
    expect(await probeFlush(exec, '/var/lib/mysql')).toEqual({ meanUs: 1000, flushes: 150 });
    expect(commands[0]).toEqual(
      expect.arrayContaining(['dd', 'of=/var/lib/mysql/.whalemark-flush', 'oflag=dsync']),
    );
    expect(commands.at(-1)).toEqual(['rm', '-f', '/var/lib/mysql/.whalemark-flush']);
  });

  it('is unknown where dd fails or says something else', async () => {
    for (const answer of [
      { exitCode: 127, stderr: 'dd: not found' },
      { exitCode: 0, stderr: 'done' },
    ]) {
      const { exec, commands } = playing([answer]);
      expect(await probeFlush(exec, '/data')).toBeUndefined();
      expect(commands.at(-1)?.[0]).toBe('rm');
    }
  });

  it.each([
    ['GNU', said('0.00567'), 0.00567],
    ['GNU, very short', said('5.67e-05'), 5.67e-5],
    ['BusyBox', '204800 bytes (200.0KB) copied, 0.005 seconds, 39.1MB/s', 0.005],
    ['another locale', '204800 Bytes kopiert, 0,005 s', undefined],
  ])('is read from %s', (_, text, seconds) => {
    expect(ddSeconds(text)).toBe(seconds);
  });

  it('is measured on this machine without leaving a file', async () => {
    const flush = await probeOwnFlush(folder);
    expect(flush?.flushes).toBe(150);
    expect(flush?.meanUs).toBeGreaterThan(0);
    expect(readdirSync(folder)).toEqual([]);
    expect(await probeOwnFlush(join(folder, 'no', 'such'))).toBeUndefined();
  });
});
