import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { durabilityOf, flushesOf } from '../../../../src/shared/analysis/durability.ts';
import { createRandom } from '../../../../src/benchmark/random.ts';
import type { FlushTimes } from '../../../../src/shared/model/events.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { headlineLines } from '../../../../src/shared/words/wording.ts';
import { durabilitySentences, durabilityTable } from '../../../../src/shared/words/durability-wording.ts';
import { expectShown } from '../../../helpers/shown.ts';
import { makeFlush, makePassport, makeState } from '../../builders.ts';
import { BASE, BIND, one, TWO } from './analysis-helpers.ts';

const t = createTranslator('en');
const MS = 1000;
const LIE = { medianUs: 90, mostUs: 99, mostAddedUs: 14 };

interface Shape {
  flush?: Partial<FlushTimes> | null;
  host?: FlushTimes | null;
  vm?: boolean;
  platform?: 'linux' | 'darwin' | 'win32';
  fileSystem?: string;
  storage?: 'named-volume' | 'tmpfs' | 'native';
}

/** A run of two storage types; what is given is that of the second. */
function measured({
  flush = {},
  host = null,
  vm = false,
  platform = 'linux',
  fileSystem,
  storage,
}: Shape): RunState {
  const path = storage === 'native' ? 'loopback' : 'published-port';
  const scenarios = storage === undefined ? TWO : [...TWO.slice(0, 1), { storage, path } as const];
  const state = makeState({ scenarios, aaCheck: false, rounds: 3 });
  const passport = makePassport();
  passport.runtime.vm = vm;
  passport.host.platform = platform;
  state.plan.engines[0].passport = passport;
  state.hostFlush = host;
  const facts = state.servers[state.plan.scenarios[1]?.serverId ?? '']?.facts;
  if (facts === undefined || facts === null) throw new Error('no facts');
  facts.flushTimes = flush === null ? null : makeFlush(MS, flush);
  facts.datadirFileSystem = fileSystem ?? 'ext4';
  return state;
}

const reasonOf = (shape: Shape): string | undefined =>
  analyze(measured(shape)).scenarios[1]?.durability?.reason;

/** A commit that takes so much longer than BEGIN. */
function statements(waitedUs: number) {
  const begin = { p50Us: 500, each: 1, count: 1, minUs: 1, meanUs: 1, p95Us: 1, p99Us: 1, maxUs: 1 };
  return { begin, commit: { ...begin, p50Us: 500 + waitedUs } };
}

describe('where flushes end', () => {
  it.each([
    ['a disk that got a command for each', {}, 'flush-commands'],
    ['a disk without a cache', { flush: { disk: { commands: 400, hasCache: false } } }, 'no-cache'],
    [
      'a disk that shares some with another program',
      { flush: { disk: { commands: 361, hasCache: true } } },
      'flush-commands',
    ],
    ['a disk that got fewer', { flush: { disk: { commands: 359, hasCache: true } } }, 'not-counted'],
    ['a disk that got few', { flush: { disk: { commands: 199, hasCache: true } } }, 'not-sent'],
    [
      'another machine',
      { flush: { disk: { commands: 0, hasCache: true } }, fileSystem: 'nfs4' },
      'not-counted',
    ],
    ['a kernel that doesn’t count', { flush: { disk: null } }, 'not-counted'],
    ['a write without a flush', { flush: { ...LIE, disk: null } }, 'too-fast'],
    ['a lie that other programs’ flushes hide', { flush: LIE }, 'contradictory'],
    [
      'a lie next to as many flushes of others',
      { flush: { ...LIE, disk: { commands: 360, hasCache: true } } },
      'contradictory',
    ],
    [
      'a lie next to fewer flushes of others',
      { flush: { ...LIE, disk: { commands: 359, hasCache: true } } },
      'too-fast',
    ],
    ...['9p', 'virtiofs', 'nfs4', 'fuse.sshfs', 'fakeowner'].map((fileSystem) => [
      `${fileSystem}, where each write may be a round trip`,
      { flush: { ...LIE, disk: null }, fileSystem },
      'not-counted',
    ]),
    ['a fast disk', { flush: { ...LIE, mostAddedUs: 15 } }, 'flush-commands'],
    ['a fast flush that nothing counts', { flush: { ...LIE, mostAddedUs: 15, disk: null } }, 'not-counted'],
    ['a share that writes at once', { flush: { mostUs: 100, mostAddedUs: 0, disk: null } }, 'not-counted'],
    ['too few flushes', { flush: { ...LIE, mostAddedUs: null, disk: null } }, 'not-counted'],
    ['memory', { storage: 'tmpfs' }, 'memory'],
    ['memory that no dd measured', { storage: 'tmpfs', flush: null }, 'memory'],
    ['memory below another type', { fileSystem: 'tmpfs' }, 'memory'],
    ['no dd', { flush: null }, 'not-measured'],
    ['an engine’s virtual machine', { vm: true }, 'virtual-machine'],
    ['a machine that is virtual', { flush: { isVirtual: true } }, 'virtual-machine'],
    [
      'a virtual machine that sends nothing',
      { vm: true, flush: { disk: { commands: 3, hasCache: true } } },
      'not-sent',
    ],
    ['one as slow as its host', { vm: true, host: makeFlush(2 * MS) }, 'virtual-machine'],
    [
      'a share that is twice as fast as its host',
      { vm: true, host: makeFlush(20 * MS), flush: { medianUs: 8 * MS } },
      'virtual-machine',
    ],
    ['one twice as fast as its host', { vm: true, host: makeFlush(2.5 * MS) }, 'faster-than-host'],
    [
      'one that may be less than twice as fast, by its interval',
      { vm: true, host: makeFlush(2.4 * MS) },
      'virtual-machine',
    ],
    ['an engine next to a slow disk', { host: makeFlush(100 * MS) }, 'flush-commands'],
    [
      'a Mac without Docker',
      { storage: 'native', platform: 'darwin', vm: true, flush: { disk: null } },
      'full-flush',
    ],
  ] as [string, Shape, string][])('of %s', (_, shape, reason) => {
    expect(reasonOf(shape)).toBe(reason);
  });

  it('is unknown in results that never asked', () => {
    const state = measured({ flush: null });
    for (const { facts } of Object.values(state.servers)) if (facts !== null) facts.flushTimes = null;
    const analysis = analyze(state);
    expect(analysis.scenarios.map(({ durability }) => durability)).toEqual([null, null]);
    expect(durabilityTable(analysis, t).rows).toEqual([]);
  });

  it('is that of the storage type for servers without a meter of their own', () => {
    const state = makeState({ aaCheck: true });
    const { scenarios } = state.plan;
    const withMeter = new Map(
      [...scenarios].reverse().map(({ storageId, serverId }) => [storageId, serverId]),
    );
    const others = scenarios.filter(({ storageId, serverId }) => withMeter.get(storageId) !== serverId);
    expect(others.length).toBeGreaterThan(0);
    for (const { serverId } of others) {
      const facts = state.servers[serverId]?.facts;
      if (facts) facts.flushTimes = null;
    }
    for (const { figures } of analyze(state).scenarios) expect(figures.flushUs).toBe(110);
  });

  it('is a cache for a server whose commits end long before a flush', () => {
    const reason = (waitedUs: number, { flushes = 1, logBytesWritten = 500 } = {}): string | undefined => {
      const state = measured({});
      for (const { settings } of state.plan.configs) settings.flushLogAtTrxCommit = flushes === 1 ? 1 : 2;
      const [, scenario] = state.plan.scenarios;
      if (scenario === undefined) throw new Error('no scenario');
      const figures = { statements: statements(waitedUs), logBytesWritten };
      return durabilityOf(state, scenario, flushesOf(state), figures)?.reason;
    };
    expect(reason(99)).toBe('not-waited');
    expect(reason(200)).toBe('contradictory');
    expect(reason(300)).toBe('flush-commands');
    expect(reason(99, { flushes: 0 })).toBe('flush-commands');
    expect(reason(99, { logBytesWritten: 0 })).toBe('flush-commands');
  });

  it('is never called a cache if a flush takes 8 ms, whatever else was measured', () => {
    const random = createRandom(56);
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const state = measured({});
    const [, scenario] = state.plan.scenarios;
    const facts = state.servers[scenario?.serverId ?? '']?.facts;
    if (scenario === undefined || !facts) throw new Error('no scenario');
    for (let run = 0; run < 2000; run += 1) {
      const medianUs = 8 * MS * (1 + 20 * random());
      const flush: FlushTimes = {
        ...{ medianUs, p10Us: medianUs * random(), p99Us: medianUs * (1 + 9 * random()) },
        mostUs: medianUs * (1 + random()),
        mostAddedUs: (random() - 0.5) * medianUs,
        flushes: 1 + Math.floor(200 * random()),
        disk: pick([null, { commands: Math.floor(300 * random()), hasCache: pick([true, false]) }]),
        isVirtual: pick([true, false]),
      };
      facts.flushTimes = flush;
      facts.datadirFileSystem = pick(['9p', 'virtiofs', 'ext4', 'overlay', '']);
      state.hostFlush = pick([null, makeFlush(60 * MS * random())]);
      state.plan.engines[0].passport.runtime.vm = pick([true, false]);
      state.plan.engines[0].passport.host.platform = pick(['linux', 'darwin', 'win32'] as const);
      const figures = { statements: statements(8 * MS * random() + 100), logBytesWritten: 500 };
      const durability = durabilityOf(state, scenario, flushesOf(state), figures);
      expect(durability?.verdict, JSON.stringify({ flush, durability })).not.toBe('cache');
    }
  });
});

describe('what a crash may cost', () => {
  it.each([
    [{}, 'named-volume', []],
    [{ flushLogAtTrxCommit: 0 }, 'named-volume', ['crash']],
    [{}, 'tmpfs', ['memory']],
    [{}, 'container-layer', ['container']],
  ] as const)('with %j on %s', (settings, storage, loses) => {
    const scenarios = [{ storage, path: 'published-port' as const }];
    const state = makeState({ scenarios, aaCheck: false });
    for (const config of state.plan.configs) Object.assign(config.settings, settings);
    expect(analyze(state).scenarios[0]?.durability?.loses).toEqual(loses);
  });

  it('adds what the server’s own options and its image’s may lose', () => {
    const losses = (options: string[], variables: Record<string, string> = {}): unknown => {
      const state = makeState({ scenarios: TWO.slice(0, 1), aaCheck: false });
      for (const config of state.plan.configs) config.options.push(...options);
      for (const { facts } of Object.values(state.servers)) Object.assign(facts?.variables ?? {}, variables);
      return analyze(state).scenarios[0]?.durability?.loses;
    };
    expect(losses(['--skip-innodb-doublewrite'])).toEqual(['tables']);
    expect(losses(['--innodb-flush-method=nosync'])).toEqual(['power-cut', 'tables']);
    expect(losses([], { innodb_doublewrite: 'OFF' })).toEqual(['tables']);
    expect(losses([], { innodb_doublewrite: 'ON', innodb_flush_method: 'O_DIRECT' })).toEqual([]);
  });

  it.each([
    [{ flushLogAtTrxCommit: 2 }, [], true],
    [{}, ['--innodb-doublewrite=OFF'], true],
    [{ syncBinlog: 0 }, [], false],
    [{}, [], false],
  ] as const)('marks a server with %j and %j: %j', (settings, options, isUnsafe) => {
    const own = { storage: 'named-volume', path: 'published-port' } as const;
    const state = makeState({
      scenarios: [
        { ...own, server: 'main' },
        { ...own, server: 'fast' },
      ],
      servers: { main: { name: 'main', image: {} }, fast: { name: 'fast', image: {} } },
      aaCheck: false,
    });
    for (const config of state.plan.configs) {
      if (config.server !== 'fast') continue;
      Object.assign(config.settings, settings);
      config.options.push(...options);
    }
    expect(analyze(state).effects.map(({ unsafe }) => unsafe)).toEqual([
      { level: isUnsafe, reference: false },
    ]);
  });

  it('expects a commit to take a flush for each log it waits for', () => {
    const expected = (settings: object): number | null | undefined => {
      const state = measured({});
      for (const config of state.plan.configs) Object.assign(config.settings, settings);
      return one(analyze(state), BIND).durability?.commitUs;
    };
    expect(expected({ binlog: false })).toBe(MS);
    expect(expected({ binlog: true, syncBinlog: 1 })).toBe(2 * MS);
    expect(expected({ binlog: true, syncBinlog: 1, flushLogAtTrxCommit: 2 })).toBe(MS);
    expect(expected({ binlog: true, syncBinlog: 0, flushLogAtTrxCommit: 0 })).toBe(0);
  });
});

describe('the first screen', () => {
  const lines = (shape: Shape): string[] =>
    headlineLines(analyze(measured(shape)), t).map(({ text }) => text);
  const gap = t('report:flushes.gap', { host: '15.0 ms', vm: '110 µs' }).replace(/^t/, 'T');

  it('says where the host needs a hundred times as long for a flush as the virtual machine', () => {
    expect(lines({ vm: true, host: makeFlush(15 * MS) })[0]).toBe(gap);
    for (const shape of [
      { vm: true, host: makeFlush(10 * MS) },
      { host: makeFlush(15 * MS) },
      { vm: true },
    ]) {
      expect(lines(shape)).not.toContain(gap);
      expect(lines(shape)).toHaveLength(1);
    }
  });

  it('marks what stops in a cache, whichever factor it belongs to', () => {
    const state = makeState({
      scenarios: TWO,
      aaCheck: false,
      rounds: 4,
      outcomes: { [BASE]: [500, 505, 495, 500], [BIND]: [2000, 2010, 1990, 2000] },
      flushUs: { [BIND]: 3 },
    });
    const { headline } = analyze(state);
    expect(headline).toMatchObject({ kind: 'findings', findings: [{ unsafe: true }] });
  });
});

it('durability has a table of scenarios and the host, with the reasons in sentences', async () => {
  const analysis = analyze(measured({ vm: true, host: makeFlush(5 * MS) }));
  await expectShown('durability', {
    table: durabilityTable(analysis, t).rows.map((row) => row.join(' | ')),
    sentences: durabilitySentences(analysis, t),
  });
});
