import { expect, it } from 'vitest';
import { parsePreset } from '../../../src/benchmark/presets/preset-file.ts';
import { toErrorData } from '../../../src/shared/errors.ts';
import { createTranslator, messageText } from '../../../src/shared/words/i18n.ts';

it('whatever is wrong with a preset is said in every language', () => {
  const wrong = `whalemark: 2
id: Wrong Id
name: ''
server: { options: [bad], settings: { bufferPool: lots, redoLogMiB: 1 } }
storages: { small: { kind: bind-mount, sizeMiB: 5 }, nfs: { kind: volume-options } }
workload: { kind: nothing, tables: many }
sweep: [4, 2]
schedule: { rounds: 0 }
color: blue
`;
  const valid = `whalemark: 1
id: x
name: x
question: x
baseline: nowhere
sweep: [1, 2]
connections: 4
schedule: { rounds: 2, warmupSeconds: 1, durationSeconds: 5 }
grid: { storages: [nowhere, native], paths: [published-port] }
`;
  const alike = `whalemark: 1
id: x
name: x
question: x
server: { image: 'mysql:8.4' }
servers: { default: {}, a: {}, a.b: {} }
bufferPools: { c: { name: C, bufferPool: 64 }, b.c: { name: B, bufferPool: 128 } }
baseline: a.named-volume.published-port
schedule: { rounds: 2, warmupSeconds: 1, durationSeconds: 5 }
grid: { servers: [a, a.b], storages: [named-volume], paths: [published-port] }
`;
  const found = [wrong, valid, alike].map((text) => {
    try {
      parsePreset(text, 'x');
      return [];
    } catch (error) {
      return toErrorData(error).evidence;
    }
  });
  const problems = found.flat();
  expect(problems.length).toBeGreaterThan(14);
  expect(found[2]).toHaveLength(1);
  const chinese = problems.map((one) => messageText(one, createTranslator('zh-CN')));
  expect(chinese.filter((text) => !/^(?:第 \d+ 行：)?[\w.-]+：.*\p{Script=Han}/u.test(text))).toEqual([]);
});
