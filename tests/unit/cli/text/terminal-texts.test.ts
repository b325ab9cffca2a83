import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recentRunOf } from '../../../../src/benchmark/store/listed-run.ts';
import { historyLines, historySummary } from '../../../../src/cli/commands/history.ts';
import { sectionsText } from '../../../../src/benchmark/report/text.ts';
import { comparisonSummary } from '../../../../src/cli/commands/results.ts';
import { planText } from '../../../../src/cli/plan-command.ts';
import { configText, serviceJson } from '../../../../src/cli/text/database-text.ts';
import { msg } from '../../../../src/shared/message.ts';
import { boardOf } from '../../../../src/shared/document/board.ts';
import { comparedRuns, type ComparedRuns } from '../../../../src/shared/words/compare-wording.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { ENGLISH as t } from '../../../../src/shared/words/i18n.ts';
import { plain } from '../../../helpers/messages.ts';
import { DEMO_FACTORS, demoOutcomes, demoState, makePlan, type ScenarioShape } from '../../builders.ts';
import { teamResults } from '../../team-results.ts';
import { makeDatabase } from '../../database-builder.ts';

const MIB = 2 ** 20;

/** Holds what the terminal prints against a file. */
async function expectPrinted(name: string, texts: readonly (string | object)[]): Promise<void> {
  const all = texts.map((one) => (typeof one === 'string' ? one : JSON.stringify(one, undefined, 1)).trim());
  const file = join(process.cwd(), 'tests/fixtures/documents', `terminal-${name}.txt`);
  await expect(`${all.join(`\n\n${'='.repeat(40)}\n\n`)}\n`).toMatchFileSnapshot(file);
}

it('a plan is printed with servers, sizes, scenarios, what is left out, and what it takes', async () => {
  const plan = makePlan({
    scenarios: [
      { storage: 'named-volume', path: 'published-port' },
      { storage: 'named-volume', path: 'user-bridge' },
      { storage: 'named-volume', path: 'overlay-other-node' },
    ],
    loadGenerator: ['builtin', 'sysbench'],
    bufferPools: {
      'io-bound': { name: 'I/O-bound', bufferPoolMiB: 10 },
      'in-memory': { name: 'In memory', bufferPoolMiB: 200 },
    },
    excluded: [{ storage: 'native', path: 'loopback', reason: 'There is no mysqld here.' }],
    consents: [{ consent: 'swarm', message: plain('A swarm is started.') }],
    config: { options: ['--innodb-io-capacity=100'], limits: { cpus: 2, memoryMiB: 512 } },
    notices: [{ code: 'X', message: plain('A remark.') }],
    reference: {
      ...{ id: 'x', title: 'Docker and MySQL', source: 'A blog', url: null, date: '2016-02-05' },
      ...{ hardware: '', software: '', workload: '', cells: [], claims: [] },
    },
  });
  const once = makePlan({
    scenarios: [{ storage: 'named-volume', path: 'published-port' }],
    aaCheck: false,
    rounds: 1,
  });
  const native = makePlan({
    scenarios: [{ storage: 'native', path: 'loopback' }],
    config: { native: { binary: '/usr/sbin/mysqld', flavor: 'mysql', version: '8.4.6' } },
    workload: { kind: 'tpcc', warehouses: 20 },
  });
  await expectPrinted('plan', [
    planText({
      ...plan,
      mode: 'small',
      toPrepare: [{ kind: 'pull', reference: 'mysql:8.4', bytes: 500 * MIB }],
      estimate: { seconds: 300, diskBytes: 900 * MIB, dataBytes: 100 * MIB },
    }),
    planText(once),
    planText({ ...once, schedule: { ...once.schedule, rounds: 5, untilConclusive: { budgetMinutes: 7 } } }),
    planText(native),
  ]);
});

it('a plan is printed with the type and device of what is mounted, each once, and no password', async () => {
  const disk = (options: { type: string; device: string; o?: string }, name?: string): ScenarioShape => ({
    ...{ storage: 'volume-options', path: 'published-port' },
    options: { options, ...(name === undefined ? {} : { name }) },
  });
  const nfs = { address: 'nas.lan', path: '/export', version: '4.2' as const, soft: false, lock: true };
  const text = planText(
    makePlan({
      scenarios: [
        { storage: 'named-volume', path: 'published-port' },
        disk({ type: 'ext4', device: '/dev/sdb1' }, 'old disk'),
        { ...disk({ type: 'ext4', device: '/dev/sdb1' }, 'old disk'), path: 'user-bridge' },
        disk({ type: 'none', device: '/mnt/external', o: 'bind' }),
        { storage: 'nfs', path: 'published-port', options: { nfs } },
        disk({ type: 'nfs', device: ':/x', o: 'addr=10.0.0.2,rw' }),
        disk({ type: 'cifs', device: '//nas/x', o: 'ip=10.6.6.6,username=anna,password=geheim' }),
      ],
    }),
  );
  await expectPrinted('mounts', [text]);
  expect(text).not.toContain('geheim');
});

it('a database is printed with what was read, remarks, and what to do next', async () => {
  const database = makeDatabase({
    limits: { cpus: 2, memoryMiB: 512 },
    options: ['--max-connections=300'],
    otherPaths: [{ kind: 'user-bridge', client: 'app', port: null, at: null }],
    warnings: [msg('compose.otherProgram')],
    container: { id: 'x', running: true },
  });
  const { source, services } = makeDatabase();
  const refusal = msg('compose.volumeDriver', { driver: 'x' });
  const refused = services.map((one) => ({ ...one, name: 'old', refusal }));
  const given = { service: 'db', connections: [1, 2], quick: true, json: true };
  await expectPrinted('database', [
    configText(database, ['my shop/compose.yaml']),
    configText({ source, services: [...refused, ...services] }, ['c.yaml']),
    configText({ source, services: refused }, ['c.yaml']),
    configText({ source, services }, [], {}, true),
    configText({ source, services }, ['c.yaml', 'a.yaml', 'b c.yaml'], given),
    ...database.services.map(serviceJson),
  ]);
});

it('runs are printed in the history, and compared: what differs first, then changes', async () => {
  const here = demoState({ runId: '20260601-093000-aaaa' });
  const there = demoState({
    runId: '20260602-093000-bbbb',
    runtime: { name: 'OrbStack 2.0', vm: true },
    outcomes: demoOutcomes({ ...DEMO_FACTORS, 'container-layer.published-port': 0.3 }, { seed: 4 }),
  });
  const compare = (...runs: RunState[]): ComparedRuns =>
    comparedRuns(
      runs.map((run) => ({ name: null, run })),
      t,
      (at) => new Date(at).toISOString(),
    );
  const compared = compare(here, there);
  const run = recentRunOf(here);
  if (run === null) throw new Error('a finished run');
  const entry = { ...run, annotations: { title: 'Laptop', note: 'one\ntwo', shared: false } };
  await expectPrinted('runs', [
    sectionsText(boardOf(compared, t)),
    sectionsText(boardOf(comparedRuns(teamResults(), t, String), t)),
    comparisonSummary(compared, ['a.json', 'b.json']),
    historyLines({ ...entry, failed: 4 }),
    historySummary(entry),
  ]);
});
