import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diagnosticsText } from '../../../../src/benchmark/diagnostics/diagnostics.ts';
import { engineParts } from '../../../../src/benchmark/diagnostics/engine-parts.ts';
import { log, logFile, logFolder, startLog } from '../../../../src/benchmark/log/log.ts';
import { isTelling } from '../../../../src/benchmark/privacy/redactor.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { DEFAULT_SETTINGS } from '../../../../src/shared/model/settings.ts';
import type { RuntimeReport } from '../../../../src/shared/model/passport.ts';
import { demoState } from '../../builders.ts';
import { reportWith } from '../runtime/fixture-machine.ts';
import { storeResult } from '../../stored-result.ts';
import { newFolder } from '../../../helpers/folders.ts';

let dataDir: string;
beforeEach(() => (dataDir = newFolder()));

async function textWith(report: RuntimeReport, runtimeId: string | null = null): Promise<string> {
  return diagnosticsText({
    dataDir,
    appVersion: '1.2.3',
    program: ['terminal, Node.js 20.0.0'],
    settings: { ...DEFAULT_SETTINGS, runtimeId },
    engine: await engineParts({ dataDir, datasetDir: join(dataDir, 'datasets') }, () =>
      Promise.resolve(report),
    ),
  });
}

const LOCAL = reportWith('context:default', 'unix:///var/run/docker.sock');

describe('the diagnostics of a bug report', () => {
  let stop: () => void;
  beforeEach(() => {
    const names = { user: 'ada', host: 'adas-laptop' };
    stop = startLog('cli', { dataDir, homeDirectory: '/home/ada', names });
  });
  afterEach(() => stop());

  it('tell what the program, its engine and its folder are', async () => {
    const text = await textWith(LOCAL);
    expect(text).toMatch(/^### Whalemark diagnostics\n/);
    for (const said of [
      'Whalemark 1.2.3',
      'Docker Engine',
      '"storageDriver":"overlay2"',
      'free on its disk: ',
      'theme: system',
    ]) {
      expect(text).toContain(said);
    }
    expect(text).toContain('**Last run**\n\n- none');
    expect(text).toContain('**Cached datasets**\n\n- 0, 0 B');
  });

  it('tell the last run with its errors', async () => {
    const state = demoState();
    const place = { path: '/home/ada/data', reason: 'EACCES' };
    const error = new BenchmarkError('BIND_UNWRITABLE', place).toData();
    const [first, ...rest] = state.trials;
    if (first === undefined) throw new Error('a run without trials');
    const failed = { ...first, status: 'failed' as const, totals: null, error };
    await storeResult(dataDir, { ...state, trials: [failed, ...rest] });
    const text = await textWith(LOCAL);
    expect(text).toContain(`- ${state.runId}, Whalemark`);
    expect(text).toMatch(/- headline: .*\S/);
    expect(text).toContain(`- ${first.scenarioId}, round 1:\n- BIND_UNWRITABLE: `);
    expect(text).not.toContain('/home/ada');
  });

  it('hold the last lines of the log and no more than a bug report takes', async () => {
    for (let index = 0; index < 500; index++) log.info('again', { index, text: '`````'.repeat(index % 3) });
    const lines = (await textWith(LOCAL)).split('\n').filter((line) => / cli \d+ info: again /.test(line));
    expect(lines).toHaveLength(200);
    expect(lines.at(-1)).toContain('"index":499');
    for (let index = 0; index < 500; index++) log.info('long', { index, text: 'words '.repeat(200) });
    const long = await textWith(LOCAL);
    expect(long.length).toBeLessThan(60_000);
    expect(long).toContain('"index":499');
  });

  it('come without a log, and with what went wrong in place of what can’t be had', async () => {
    await rm(logFolder(dataDir), { recursive: true, force: true });
    const parts = await engineParts({ dataDir, datasetDir: null }, () =>
      Promise.reject(new BenchmarkError('ENGINE_LOST')),
    );
    expect(parts.map(({ title, lines }) => [title, lines[0]?.split(':')[0]])).toEqual([
      ['Docker', 'ENGINE_LOST'],
      ['Cached datasets', 'none are kept'],
      ['Last run', 'none'],
    ]);
    expect(await textWith(LOCAL)).toContain('Log, the last 0 lines');
  });
});

/** A name of a person or machine, with a digit, so that no word of Whalemark's is one by chance. */
const name = fc
  .tuple(fc.stringMatching(/^[a-zA-Zäßé][a-zA-Z0-9.-]{1,9}$/), fc.integer({ min: 10, max: 99 }))
  .map(([letters, digits]) => `${letters}${digits}q`)
  .filter(isTelling);
const password = fc
  .string({ minLength: 6, maxLength: 20, unit: 'grapheme-ascii' })
  .filter((one) => /^\S.*\d.*\S$/.test(one));
const octet = fc.integer({ min: 11, max: 250 });
const address = fc
  .tuple(octet, octet, octet, octet)
  .map((four) => four.join('.'))
  .filter((one) => !one.startsWith('127.'));
const somebody = fc
  .record({
    ...{ user: name, host: name, home: name, other: name, account: name, context: name },
    ...{ password, address },
  })
  // A name inside another word is not that name, and a context is not known while the log is written.
  .filter(({ context, ...others }) =>
    Object.values(others).every((one) => !context.toLowerCase().includes(one.toLowerCase())),
  );
type Somebody = typeof somebody extends fc.Arbitrary<infer T> ? T : never;

/** Texts of programs in which such names turn up. */
function texts(one: Somebody, home: string): string[] {
  const { user, host, other, account, address, context } = one;
  const dsn = `mysql://${account}:${encodeURIComponent(one.password)}@${other}:3306`;
  return [
    `EACCES: permission denied, open '${home}/notes/${user}.yaml'`,
    `${home}`,
    `cd ${home}/`,
    `/home/${user}/x, /Users/${user}/y and C:\\Users\\${user}\\z`,
    `${user}@${host}: Permission denied (publickey).`,
    `ssh: connect to host ${other} port 22: Connection refused (ssh://${account}@${other}/run/docker.sock)`,
    `ssh://${other}:22`,
    `Access denied for user '${account}'@'${address}' (using password: YES)`,
    `can't reach ${other}:3306 (${address}) as ${account}`,
    `${dsn} ECONNREFUSED, tried ${dsn}/db?x=1`,
    `mysql://${account}:${one.password}@${other}/`,
    `password=${one.password}`,
    `project ${user}_db_1 of ${context}, (${host})`,
    `{"context":"${context}","host":"${host}","nested":"tcp://${address}:2375"}`,
    `at ${address}:2376\n    at file://${home}/src/x.ts:1:2`,
  ];
}

describe('whoever it is', () => {
  it('neither the log nor the diagnostics tell of him, his machines, his folders and his passwords', async () => {
    await fc.assert(
      fc.asyncProperty(somebody, fc.constantFrom('/home', '/Users', '/data/people'), async (one, base) => {
        await rm(dataDir, { recursive: true, force: true });
        const home = `${base}/${one.home}`;
        const names = { user: one.user, host: one.host };
        const stop = startLog('core', { dataDir, homeDirectory: home, names });
        // Names that come with a report of runtimes.
        log.hide(one.account, one.other);
        const report = reportWith(`context:${one.context}`, `ssh://${one.account}@${one.other}`);
        for (const text of texts(one, home)) {
          log.warn('something went wrong', { error: { text, evidence: [`  ${text}`] } });
          log.info(text);
        }
        // The log was written before the context was known, so its lines are cleaned again.
        const told = await textWith(report, `context:${one.context}`);
        log.info('later', { texts: texts(one, home) });
        stop();
        const secrets = [one.user, one.host, one.home, one.other, one.account, one.password, one.address];
        const file = readFileSync(logFile(dataDir), 'utf8');
        for (const secret of secrets) {
          expect(told.toLowerCase()).not.toContain(secret.toLowerCase());
          expect(file.toLowerCase()).not.toContain(secret.toLowerCase());
        }
        expect(told.toLowerCase()).not.toContain(one.context.toLowerCase());
      }),
      { numRuns: 150 },
    );
  });
});
