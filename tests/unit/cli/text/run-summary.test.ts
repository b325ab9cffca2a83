import { describe, expect, it } from 'vitest';
import { runSummary } from '../../../../src/cli/text/run-summary.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { GRID, makeState, type StateShape } from '../../builders.ts';

const [first, second] = ['named-volume.published-port', 'named-volume.user-bridge'];

function summary(shape: StateShape) {
  const state = makeState({ scenarios: GRID.slice(0, 2), rounds: 2, aaCheck: false, ...shape });
  return runSummary(state, analyze(state), '/tmp/result.json');
}

describe('the summary for scripts', () => {
  it('keeps the fields that scripts know', () => {
    const { result, image, scenarios, warnings } = summary({});
    expect(result).toBe('/tmp/result.json');
    expect(image).toMatchObject({ requested: 'mysql:8.4', used: 'mysql:8.4', substituted: false });
    expect(warnings).toBeInstanceOf(Array);
    for (const scenario of scenarios) {
      expect(Object.keys(scenario)).toEqual(
        expect.arrayContaining(['id', 'name', 'baseline', 'tps', 'p95Us', 'ratio', 'low', 'high', 'verdict']),
      );
      expect(scenario).not.toHaveProperty('newOrdersPerMinute');
    }
  });

  it('says with what each is compared, under which load generator, and what was published', () => {
    const { scenarios, images } = summary({
      reference: {
        ...{
          id: 'x',
          title: 'x',
          source: 'x',
          url: null,
          date: '2016',
          hardware: '',
          software: '',
          workload: '',
        },
        cells: [
          { scenarioId: first, label: 'Port', tps: 7100, ratio: 1, otherPath: null, figures: [] },
          {
            scenarioId: second,
            label: 'Bridge',
            tps: 6300,
            ratio: 6300 / 7100,
            otherPath: null,
            figures: [],
          },
        ],
      },
    });
    expect(scenarios.map(({ baselineId, loadGenerator }) => [baselineId, loadGenerator])).toEqual([
      [first, 'builtin'],
      [first, 'builtin'],
    ]);
    expect(scenarios[1]?.reference).toMatchObject({
      label: 'Bridge',
      tps: 6300,
      ratio: 6300 / 7100,
      figures: [{ measure: 'tps', published: { value: 6300, ratio: 6300 / 7100 } }],
    });
    expect(images.map(({ used }) => used)).toEqual(['mysql:8.4']);
    expect(summary({}).scenarios[0]?.reference).toBeNull();
  });

  it('names the flags of each scenario', () => {
    expect(summary({}).scenarios.map(({ flags }) => flags)).toEqual([[], []]);
    const bound = summary({ client: { cpuShare: 0.99 } });
    expect(bound.scenarios.map(({ flags }) => flags)).toEqual([['client-limited'], ['client-limited']]);
  });

  it('says with how many connections, and where the knee of a sweep is', () => {
    const { scenarios, sweeps } = summary({
      sweep: [1, 4, 16],
      outcomes: { [`${first}.c1`]: [100, 100], [`${first}.c4`]: [300, 300], [`${first}.c16`]: [320, 320] },
    });
    expect(scenarios.map(({ connections }) => connections)).toEqual([1, 1, 4, 4, 16, 16]);
    expect(sweeps[0]).toMatchObject({ id: first, knee: { connections: 4, agreeing: 2, rounds: 2 } });
    expect(summary({}).sweeps).toEqual([]);
  });

  it('tells TPC-C per minute, without the new orders that were rolled back', () => {
    const state = makeState({
      scenarios: GRID.slice(0, 2),
      rounds: 2,
      aaCheck: false,
      workload: { kind: 'tpcc' },
      outcomes: { [second]: ['SERVER_EXITED', 'SERVER_EXITED'] },
    });
    const trials = state.trials.map((trial) =>
      trial.totals === null
        ? trial
        : {
            ...trial,
            totals: {
              ...trial.totals,
              durationMs: 30_000,
              transactions: 300,
              rollbacks: 2,
              mix: { new_order: 130 },
            },
          },
    );
    const { scenarios } = runSummary({ ...state, trials }, analyze({ ...state, trials }), 'x');
    expect(scenarios[0]).toMatchObject({ newOrdersPerMinute: 256, transactionsPerMinute: 600 });
    expect(scenarios[1]).toMatchObject({ newOrdersPerMinute: null, transactionsPerMinute: null });
  });
});
