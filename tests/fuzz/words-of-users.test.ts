import { CommanderError } from '@commander-js/extra-typings';
import fc from 'fast-check';
import { expect } from 'vitest';
import { englishOf } from '../../src/shared/message.ts';
import { parseConfig } from '../../src/shared/options/option-file.ts';
import { refusedOption } from '../../src/shared/options/tuning.ts';
import { fileSystemOf } from '../../src/benchmark/servers/storage/mount-info.ts';
import { versionNumbers } from '../../src/benchmark/servers/server-options.ts';
import { withOverrides } from '../../src/benchmark/presets/plan-overrides.ts';
import { planCommand, type PlanOptions } from '../../src/cli/plan-command.ts';
import { parsePreset } from '../../src/benchmark/presets/preset-file.ts';
import { presetTexts } from './support/bases.ts';
import { fuzz } from './support/fuzz.ts';
import { TELLING_NAMES } from './support/odd.ts';
import { usageOf } from '../../src/cli/exit-codes.ts';
import { acceptedOrRefused } from './support/refusal.ts';
import { textMutants } from './support/text-mutants.ts';

const CONFIG = `# comment
[client]
port = 3306
[mysqld]
innodb_io_capacity = 200   # why
skip-name-resolve
init_connect="SET x='#1'"
loose_mysqlx=OFF
port=3307
!include /etc/x.cnf
[mysqld-8.4]
x=1
[mariadb]
sql_mode = 'ANSI,TRADITIONAL'
`;

fuzz({
  name: 'my-cnf',
  cases: textMutants(
    [CONFIG, CONFIG.replace(/port=3307\n!include.*\n\[mysqld-8.4\]\nx=1\n/, '')],
    ['[', ']', '[mysqld]\n', '=', '\\', '"', 'loose-', 'skip-', ...TELLING_NAMES],
  ),
  judge: (text) => {
    const { options, problems } = parseConfig(text, 'my.cnf');
    // Each option is one line, and none of those that Whalemark sets itself.
    for (const option of options) {
      expect(option).toMatch(/^--[a-z]/i);
      expect(option).not.toMatch(/[\r\n]/);
      expect(refusedOption(option)).toBeUndefined();
    }
    for (const problem of problems) expect(problem).toMatch(/^my\.cnf line \d+: ./);
    return problems.length === 0 ? 'accepted' : 'refused';
  },
});

const MOUNTS = `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw
22 27 0:21 / / rw - overlay overlay rw
23 22 0:21 / /var/lib/my\\040sql rw - ext4 /dev/sda rw
`;

fuzz({
  name: 'mount-info',
  only: 'accepted',
  cases: textMutants([MOUNTS], [' - ', '\\040', ' / ', '/var/lib/mysql', '- ext4']),
  judge: (text) => {
    const found = fileSystemOf(text, '/var/lib/mysql');
    if (found !== undefined) expect(text).toContain(found);
    expect(versionNumbers(text)).toHaveLength(3);
    return 'accepted';
  },
});

const words = [
  ...['--quick', '--small', '3', '1,2,4', '--server-option', '--innodb-io-capacity=200', '--set'],
  ...['workload.tables=2', '--until-conclusive', '10', '--connections', '4', 'loadGenerator=sysbench'],
  ...['schedule.rounds=3', '--json', '--', '-x', '--nonsense', '--config', 'x.cnf'],
];
const presets = presetTexts.map((text) => parsePreset(text, 'x.yaml'));

function planOptions(argv: string[]): PlanOptions {
  const command = planCommand().exitOverride().configureOutput({ writeOut: ignore, writeErr: ignore });
  try {
    return command.parse(argv, { from: 'user' }).opts();
  } catch (error) {
    throw error instanceof CommanderError ? usageOf(error) : error;
  }
}
const ignore = (): void => undefined;

fuzz({
  name: 'arguments',
  cases: fc.record({
    preset: fc.constantFrom(...presets),
    argv: fc.array(
      fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...words) },
        { weight: 2, arbitrary: textMutants(words, ['=', '.', '__proto__', '{', '[', '-']) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 10 }) },
      ),
      { maxLength: 5 },
    ),
  }),
  judge: ({ preset, argv }) =>
    acceptedOrRefused(
      () => {
        withOverrides(preset, planOptions(argv));
      },
      {
        codes: ['USAGE', 'PRESET_INVALID'],
        namesPlace: ({ evidence, params }) =>
          evidence.length > 0 ||
          /[“”'’]|--?[\w-]+|^too many arguments/.test(englishOf(params['problem'] ?? '')),
      },
    ),
});
