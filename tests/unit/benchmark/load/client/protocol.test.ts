import { describe, expect, it } from 'vitest';
import {
  answerSchema,
  commandSchema,
  parseLine,
  type Command,
} from '../../../../../src/benchmark/load/client/protocol.ts';
import { workloadSchema } from '../../../../../src/shared/model/workload.ts';

const target = { host: 'h', port: 3306, user: 'u', password: 'p“\n', database: 'd' };
const commands: Command[] = [
  {
    type: 'open',
    id: 1,
    spec: {
      loadGenerator: 'builtin',
      target,
      workload: workloadSchema.parse({}),
      connections: 8,
      seed: 0,
    },
  },
  { type: 'slice', id: 7, load: 1, timing: { warmupMs: 0, durationMs: 1000 } },
  { type: 'close', id: 8, load: 1 },
  { type: 'check', id: 2, target, path: 'user bridge', budgetMs: 1000, times: 3 },
  { type: 'prepare', id: 3, target, workload: workloadSchema.parse({ kind: 'tpcc' }), seed: 5 },
  { type: 'query', id: 4, target: { ...target, socketPath: '/s' }, sql: 'SELECT “x”\n' },
  { type: 'stop', id: 1 },
  { type: 'quit' },
];

describe('the line protocol', () => {
  it.each([
    '',
    '   ',
    'garbage',
    '{"type":"open"',
    'null',
    '42',
    '[]',
    '{}',
    '{"type":"format-disk","id":1}',
    '{"type":"stop"}',
    '{"type":"stop","id":"1"}',
    '{"type":"open","id":1,"spec":{}}',
    '{"type":"slice","id":1,"load":1,"timing":{"warmupMs":0,"durationMs":0}}',
    '{"type":"slice","id":1,"load":1,"timing":{"warmupMs":-1,"durationMs":1}}',
    '(node:1) Warning: something',
  ])('takes %j for nothing', (line) => {
    expect(parseLine(commandSchema, line)).toBeUndefined();
    expect(parseLine(answerSchema, line)).toBeUndefined();
  });

  it.each([{ connections: 0 }, { workload: { kind: 'drop_tables' } }, { loadGenerator: 'hammer' }])(
    'refuses a load with %j',
    (fields) => {
      const open = {
        ...commands[0],
        spec: { ...(commands[0]?.type === 'open' ? commands[0].spec : {}), ...fields },
      };
      expect(parseLine(commandSchema, JSON.stringify(open))).toBeUndefined();
    },
  );
});
