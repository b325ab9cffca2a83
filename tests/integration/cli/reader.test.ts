import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePresets } from '../../../src/benchmark/presets/preset-file.ts';
import { answerOf, readElsewhere } from '../../../src/benchmark/reading/reader.ts';
import { HistoryStore } from '../../../src/benchmark/store/history-store.ts';
import { RunStore } from '../../../src/benchmark/store/run-store.ts';
import { readResultFile } from '../../../src/benchmark/store/read-result.ts';
import { exportRun, previewRun } from '../../../src/benchmark/report/share-run.ts';
import { readResultHere } from '../../../src/benchmark/store/stored-result.ts';
import { optionsOfConfigFile } from '../../../src/benchmark/database/option-files.ts';
import { openDatabase } from '../../../src/benchmark/database/open-database.ts';
import { BenchmarkError } from '../../../src/shared/errors.ts';
import { realBench, runPlan, smallPlan } from '../helpers/bench.ts';
import { saying } from '../../helpers/saying.ts';

const SAMPLE = 'tests/fixtures/results/sample-result.json';
const DB = 'services:\n  db:\n    image: mysql:8.4\n';

describe('the process that reads strangers’ files', () => {
  const home = realBench();
  readElsewhere({ clientFile: 'out/main/client.cjs' });

  async function put(name: string, text: string): Promise<string> {
    const path = join(home.dataDir, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
    return path;
  }

  it('gives what reading here gives', async () => {
    const state = await readResultHere(SAMPLE, 'sample');
    expect(await readResultFile(SAMPLE, 'sample')).toEqual(state);
    const sample = { path: SAMPLE, name: 'sample' };
    const table = { format: 'csv', assetsDir: 'out/assets' } as const;
    expect(await previewRun(sample, table)).toEqual(await previewRun({ state }, table));
    const picture = { format: 'png', assetsDir: 'out/assets' } as const;
    const drawn = Buffer.from(await exportRun({ state }, picture));
    expect(drawn.equals(await exportRun(sample, picture))).toBe(true);
    const options = await put('my.cnf', '[mysqld]\nmax_connections=9\n');
    expect(await optionsOfConfigFile(options)).toEqual(['--max_connections=9']);
    const text = `${DB}    volumes: ["${options}:/etc/my.cnf"]\n`;
    const [service] = (await openDatabase({ target: await put('good/compose.yaml', text) })).services;
    expect(service).toMatchObject({ name: 'db', image: 'mysql:8.4', options: ['--max_connections=9'] });
  });

  it('reads a history one process after the other, several runs in each', async () => {
    const root = join(home.dataDir, 'long-history');
    const text = await readFile(SAMPLE, 'utf8');
    const ids = Array.from({ length: 14 }, (_, index) => `20250101-000000-00${index + 10}`);
    for (const id of ids) {
      const result = text.replaceAll('20260601-093000-a1b2', id);
      await put(`long-history/runs/${id}/result.json`, id === ids[3] ? 'none' : result);
    }
    const processes = { started: 0, now: 0, most: 0 };
    const seen = (message: unknown): void => {
      const { process } = message as { process: ChildProcess };
      processes.started += 1;
      processes.most = Math.max(processes.most, ++processes.now);
      process.once('close', () => (processes.now -= 1));
    };
    subscribe('child_process', seen);
    const history = new HistoryStore(root, new RunStore(root));
    const lists = await Promise.all([history.list(), history.list()]);
    unsubscribe('child_process', seen);
    const known = ids.filter((id) => id !== ids[3]).reverse();
    for (const list of lists) expect(list.map(({ runId }) => runId)).toEqual(known);
    expect(processes.most).toBe(1);
    expect(processes.started).toBeLessThan(ids.length / 2);
  });

  it('passes on what is wrong, also with 10 MB of faults', async () => {
    const whole = await readFile(SAMPLE, 'utf8');
    const path = await put('hostile.json', whole.replace(/"trials":\s*\[/, `"trials":[${'0,'.repeat(5e6)}`));
    await expect(readResultFile(path, 'hostile')).rejects.toMatchObject({
      code: 'RESULT_UNREADABLE',
      params: { name: 'hostile', reason: saying('state.trials.0: ') },
    });
    await expect(readResultFile(join(home.dataDir, 'missing'), 'x')).rejects.toMatchObject({
      code: 'RESULT_UNREADABLE',
    });
    await expect(
      openDatabase({ target: await put('bad/compose.yaml', 'services: [') }),
    ).rejects.toMatchObject({
      code: 'COMPOSE_REFUSED',
    });
    const [preset] = await parsePresets([{ text: 'id: x\n', fileName: 'x.yaml' }]);
    expect(preset).toMatchObject({ id: 'x', preset: null, error: { code: 'PRESET_INVALID' } });
  });

  it('ends a Compose that prints more than a project has', async () => {
    const services = Array.from(
      { length: 60 },
      (_, index) => `  s${index}: { image: app, environment: { A: *big } }\n`,
    );
    const text = `x-big: &big ${'x'.repeat(200_000)}\n${DB}${services.join('')}`;
    await expect(openDatabase({ target: await put('big/compose.yaml', text) })).rejects.toMatchObject({
      code: 'COMPOSE_TOO_MUCH',
    });
  });

  it('reads one large env_file in many services', { tags: ['full'] }, async () => {
    await put('env/big.env', 'MYSQL_A=db\n'.replace('A', 'A'.repeat(20)).repeat(28_000));
    const services = Array.from({ length: 200 }, (_, index) => `  s${index}: { image: app, env_file: *e }\n`);
    const text = `${DB}    env_file: &e [${new Array(11).fill('big.env').join(', ')}]\n${services.join('')}`;
    expect((await openDatabase({ target: await put('env/compose.yaml', text) })).services).toHaveLength(1);
  });

  it('is ended when it takes more of the processor than a file needs, after a word', async () => {
    const slow = new Array(200).fill({ text: `x: [${'a, '.repeat(80_000)}]`, fileName: 'slow.yaml' });
    const refused = (): BenchmarkError => new BenchmarkError('DATABASE_REFUSED', { name: 'slow.yaml' });
    const words: string[] = [];
    readElsewhere({ clientFile: 'out/main/client.cjs' }, (reading) => words.push(reading));
    await expect(answerOf('presets', slow, refused)).rejects.toMatchObject({ code: 'DATABASE_REFUSED' });
    expect(words).toEqual(['presets']);
  });

  it('takes long without holding up a run', { tags: ['full'] }, async () => {
    const services = Array.from({ length: 16 }, (_, index) => `  s${index}: { image: mysql, command: *c }\n`);
    const command = `x-command: &c '${'--a=b '.repeat(20_000)}'\n`;
    const target = await put('long/compose.yaml', `${command}services:\n${services.join('')}`);
    const order: string[] = [];
    let opened: Promise<unknown> | undefined;
    const plan = await smallPlan(home.runtime, {
      scenarios: [{ storage: 'named-volume', path: 'published-port' }],
      schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 5 },
    });
    const { state } = await runPlan(plan, home.runtime, home.dataDir, {
      onEvent: ({ type }) => {
        if (type !== 'window') return;
        order.push('window');
        // The file may be read, or its reader ended at the limit.
        opened ??= openDatabase({ target })
          .catch(() => undefined)
          .finally(() => order.push('opened'));
      },
    });
    await opened;
    expect(state.trials.map(({ status }) => status)).toEqual(['measured']);
    expect(order.slice(0, 2)).toEqual(['window', 'window']);
    expect(order).toContain('opened');
  });

  it('is ended when it answers more than its caller should hold', { tags: ['full'] }, async () => {
    const many = new Array(16_000).fill({ text: 'id: x\n', fileName: 'x.yaml' });
    const refused = (): BenchmarkError => new BenchmarkError('DATABASE_REFUSED', { name: 'huge.yaml' });
    await expect(answerOf('presets', many, refused)).rejects.toMatchObject({ code: 'DATABASE_REFUSED' });
  });

  it('dies in place of its caller, which gets an error that names the file', { tags: ['full'] }, async () => {
    // More lists than the process's heap holds, like any file that takes too much.
    const huge = new Array<string[]>(16_000_000).fill([]);
    const refused = (): BenchmarkError => new BenchmarkError('DATABASE_REFUSED', { name: 'huge.yaml' });
    await expect(answerOf('presets', huge, refused)).rejects.toMatchObject({
      code: 'DATABASE_REFUSED',
      params: { name: 'huge.yaml' },
    });
    expect(await parsePresets([{ text: 'id: x\n', fileName: 'x.yaml' }])).toHaveLength(1);
  });
});
