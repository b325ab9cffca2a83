import { it } from 'vitest';
import type { ServerConfig } from '../../../../src/shared/model/plan.ts';
import { configFacts } from '../../../../src/shared/words/facts.ts';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { expectShown } from '../../../helpers/shown.ts';
import { makePlan } from '../../builders.ts';

function factsOf(second: (first: ServerConfig) => Partial<ServerConfig>): string[] {
  const plan = makePlan();
  const [first] = plan.configs;
  if (first === undefined) throw new Error('no server');
  const limited = { ...first, limits: { cpus: 2, memoryMiB: 1024 } };
  const other = { ...limited, id: 'other', ...second(limited) };
  return configFacts(other, { ...plan, configs: [limited, other] }, ENGLISH).map((one) => one.join(': '));
}

it('says of a further server what differs from the first, what it lacks, and what it may lose', async () => {
  const plan = makePlan();
  const [config] = plan.configs;
  const pool = (task: typeof plan.task): string[] =>
    config === undefined ? [] : configFacts(config, { ...plan, task }, ENGLISH).map((one) => one.join(': '));
  await expectShown('server-facts', {
    'no difference': factsOf(() => ({})),
    'another setting': factsOf(({ settings }) => ({ settings: { ...settings, performanceSchema: true } })),
    'no limits': factsOf(() => ({ limits: { cpus: null, memoryMiB: null } })),
    'a lazy flush': factsOf(({ settings }) => ({ settings: { ...settings, flushLogAtTrxCommit: 2 } })),
    'an option that loses tables': factsOf(() => ({ options: ['--innodb-doublewrite=OFF'] })),
    'the pool with its share of the data': pool(null).slice(0, 1),
    'the pool of a task without data': pool({ kind: 'migrations', count: 100 }).slice(0, 1),
  });
});
