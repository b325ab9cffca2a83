import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { log, logFile, startLog } from '../../../../src/benchmark/log/log.ts';
import { logTail } from '../../../../src/benchmark/diagnostics/diagnostics.ts';
import { logRunEvent } from '../../../../src/benchmark/log/run-log.ts';
import { logEngineFailure } from '../../../../src/benchmark/runtime/engine/engine-client.ts';
import { logRuntimes } from '../../../../src/benchmark/runtime/runtime-log.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { makeEvents } from '../../builders.ts';
import { reportWith } from '../runtime/fixture-machine.ts';
import { newFolder } from '../../../helpers/folders.ts';

describe('the log', () => {
  let dataDir: string;
  let stop: () => void;
  beforeEach(() => {
    dataDir = newFolder();
    const whose = { dataDir, homeDirectory: '/home/ada', names: { host: 'adas-laptop', user: 'ada' } };
    stop = startLog('core', whose);
  });
  afterEach(() => stop());
  const written = (): Record<string, unknown>[] => {
    const lines = readFileSync(logFile(dataDir), 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  it('has lines that say when, who, how bad and what', async () => {
    log.warn('something', { count: 3, deep: [{ text: 'two\nlines' }] });
    const [line] = written();
    expect(line).toEqual({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      process: 'core',
      pid: process.pid,
      level: 'warn',
      message: 'something',
      count: 3,
      deep: [{ text: 'two\nlines' }],
    });
    expect(await logTail(dataDir, 10)).toEqual([
      expect.stringMatching(/ core \d+ warn: something \{"count":3,"deep":\[\{"text":"two\\nlines"\}\]\}$/),
    ]);
  });

  it('is cleaned before it is written', () => {
    log.hide('build-box');
    const text = `can't open ${dataDir}/runs/1 nor /home/ada/x.yaml`;
    log.error('failed', { error: { text, evidence: ['me@build-box'] } });
    const error = { text: "can't open <data>/runs/1 nor ~/…", evidence: ['<address>'] };
    expect(written()).toMatchObject([{ error }]);
  });

  it('keeps a text that does not end within bounds', () => {
    log.info('long', { text: 'x'.repeat(100_000), list: Array.from({ length: 500 }, (_, index) => index) });
    const [line] = written();
    expect(JSON.stringify(line).length).toBeLessThan(5_000);
    expect((line?.['list'] as number[]).at(-1)).toBe(499);
  });

  it('is not disturbed by what JSON can’t say', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => log.info('circle', circle)).not.toThrow();
    expect(() => log.info('big', { number: 1n })).not.toThrow();
    log.info('after');
    expect(written().map(({ message }) => message)).toEqual(['after']);
  });

  it('tells a run by its steps and trials, and nothing of its windows', () => {
    const events = makeEvents();
    expect(events.some(({ type }) => type === 'window')).toBe(true);
    for (const event of events) logRunEvent(event);
    const messages = written().map(({ message }) => String(message));
    const trials = events.filter(({ type }) => type === 'trial-started').length;
    expect([messages[0], messages.at(-1)]).toEqual(['run started', 'run finished']);
    for (const told of [/^trial started$/, /^trial (finished|failed)$/])
      expect(messages.filter((message) => told.test(message))).toHaveLength(trials);
    expect(messages.length).toBeLessThan(events.filter(({ type }) => type !== 'window').length + 1);
  });

  it('tells the same failure of the engine once a minute', () => {
    const failure = (reason: string): BenchmarkError =>
      new BenchmarkError('ENGINE_REFUSED', { action: 'look', reason }, { cause: { statusCode: 404 } });
    for (let again = 0; again < 5; again++) logEngineFailure('look', failure('no such container: a'), 3);
    logEngineFailure('look', failure('no such container: b'), 4);
    logEngineFailure('look', new BenchmarkError('STOPPED'), 5);
    const told = written().map(({ ms, status }) => [ms, status]);
    expect(told).toEqual([3, 4].map((ms) => [ms, 404]));
  });

  it('tells what looking for runtimes found once, and hides where others are from then on', () => {
    for (const at of [1, 2])
      logRuntimes(reportWith('context:acme-orders', 'ssh://deploy@db7.acme.example:2222', at));
    log.info('later', { text: 'deploy can’t reach db7.acme.example over acme-orders' });
    const lines = written();
    expect(lines.map(({ message }) => message)).toEqual(['runtime found', 'later']);
    expect(JSON.stringify(lines)).not.toMatch(/acme|deploy/);
  });
});
