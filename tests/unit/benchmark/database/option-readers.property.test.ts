import fc from 'fast-check';
import { expect, it } from 'vitest';
import { optionsOfTexts } from '../../../../src/benchmark/database/option-files.ts';
import { settingsOfOptions } from '../../../../src/shared/options/settings.ts';
import { serverOption } from '../../../../src/shared/options/option.ts';
import { firstDatabase, resolved } from '../../shared/compose/resolved.ts';

/** Settings, options that tune, and some that aren't measured, each with a fitting value. */
const OPTIONS = {
  'innodb-buffer-pool-size': '256M',
  'innodb-flush-log-at-trx-commit': '2',
  'innodb-log-file-size': '64M',
  'sync-binlog': '0',
  'log-bin': 'binlog',
  'performance-schema': 'OFF',
  'max-connections': '500',
  'innodb-adaptive-hash-index': '0',
  'init-file': '/canary',
  'plugin-load-add': 'canary.so',
  'bind-address': '0.0.0.0',
};
const WRITTEN = fc
  .record({
    name: fc.constantFrom(...(Object.keys(OPTIONS) as (keyof typeof OPTIONS)[])),
    prefixes: fc.subarray(['loose-', 'skip-', 'disable-', 'enable-', 'maximum-', 'loose-'], { maxLength: 2 }),
    underscores: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
    hasValue: fc.boolean(),
  })
  .map(({ name, prefixes, underscores, hasValue }) => {
    let index = 0;
    const written = `${prefixes.join('')}${name}`.replaceAll('-', () =>
      underscores[index++ % 8] ? '_' : '-',
    );
    return { written, value: hasValue ? OPTIONS[name] : undefined };
  });

/** The measured meaning of options, however they are written. */
function meaning(options: readonly string[]): object {
  const { settings, others } = settingsOfOptions(options, 'mysql');
  return {
    settings,
    others: others.map((option) => {
      const { full, value } = serverOption(option) ?? {};
      return [full, value];
    }),
  };
}

async function ofCompose(command: string[]): Promise<object> {
  const db = { image: 'mysql:8.4', command };
  return meaning((await firstDatabase(resolved({ db }))).options);
}

it('reads an option alike in a command and an option file', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(WRITTEN, { minLength: 1, maxLength: 3 }), fc.boolean(), async (all, isTwo) => {
      const joined = all.map(({ written, value }) => `--${written}${value === undefined ? '' : `=${value}`}`);
      const words = all.flatMap(({ written, value }, index) =>
        isTwo && value !== undefined ? [`--${written}`, value] : [joined[index] ?? ''],
      );
      const expected = await ofCompose(joined);
      expect(await ofCompose(words)).toEqual(expected);
      expect(await ofCompose(['mysqld', ...words])).toEqual(expected);
      expect(await ofCompose(['docker-entrypoint.sh', 'mysqld', ...words])).toEqual(expected);
      const text = `[mysqld]\n${joined.map((option) => option.slice(2)).join('\n')}\n`;
      expect(meaning(optionsOfTexts([{ path: 'my.cnf', text }]).options)).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});
