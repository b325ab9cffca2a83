import { expect, it } from 'vitest';
import type { ServerConfig } from '../../../../src/shared/model/plan.ts';
import { configFacts } from '../../../../src/shared/words/facts.ts';
import { msg } from '../../../../src/shared/message.ts';
import type { Loss } from '../../../../src/shared/options/losses.ts';
import { ENGLISH, messageText } from '../../../../src/shared/words/i18n.ts';
import { makePlan } from '../../builders.ts';

function factsOf(second: (first: ServerConfig) => Partial<ServerConfig>): (string | undefined)[] {
  const plan = makePlan();
  const [first] = plan.configs;
  if (first === undefined) throw new Error('no server');
  const limited = { ...first, limits: { cpus: 2, memoryMiB: 1024 } };
  const other = { ...limited, id: 'other', ...second(limited) };
  return configFacts(other, { ...plan, configs: [limited, other] }, ENGLISH).map(([, value]) => value);
}

it('says of a further server what differs from the first, and what it lacks', () => {
  expect(factsOf(() => ({}))).toEqual([]);
  expect(factsOf(({ settings }) => ({ settings: { ...settings, performanceSchema: true } }))).toEqual(['on']);
  expect(factsOf(() => ({ limits: { cpus: null, memoryMiB: null } }))).toEqual(['–']);
});

it.each([
  ['last-second', ({ settings }) => ({ settings: { ...settings, flushLogAtTrxCommit: 2 } })],
  ['tables', () => ({ options: ['--innodb-doublewrite=OFF'] })],
] as [Loss, (first: ServerConfig) => Partial<ServerConfig>][])(
  'says that a server may lose: %s',
  (loss, changed) => {
    expect(factsOf(changed).at(-1)).toBe(messageText(msg(`loss.${loss}`), ENGLISH));
  },
);

it('has no share of the data in the pool where a task has no data', () => {
  const plan = makePlan();
  const [config] = plan.configs;
  const pool = (task: typeof plan.task) =>
    config && configFacts(config, { ...plan, task }, ENGLISH).map(([, value]) => value)[0];
  expect(pool(null)).toContain('%');
  expect(pool({ kind: 'migrations', count: 100 })).not.toContain('%');
});
