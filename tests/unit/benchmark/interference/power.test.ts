import { expect, it } from 'vitest';
import { readStates, stateConditions } from '../../../../src/benchmark/interference/host-watch.ts';
import type { HostConditionKind } from '../../../../src/shared/model/evidence.ts';
import { FakeHost } from './fake-host.ts';

const BATTERY = '/sys/class/power_supply/BAT0';
const MOUSE = '/sys/class/power_supply/hidpp_battery_0';
const PROFILE = '/sys/firmware/acpi/platform_profile';

it.each<[string, Record<string, string>, HostConditionKind[]]>([
  [
    'empties its battery',
    { [`${BATTERY}/type`]: 'Battery', [`${BATTERY}/status`]: 'Discharging' },
    ['on-battery'],
  ],
  ['charges its battery', { [`${BATTERY}/type`]: 'Battery', [`${BATTERY}/status`]: 'Charging' }, []],
  [
    'has a mouse that empties its own',
    { [`${MOUSE}/type`]: 'Battery', [`${MOUSE}/scope`]: 'Device', [`${MOUSE}/status`]: 'Discharging' },
    [],
  ],
  ['saves power', { [PROFILE]: 'low-power' }, ['low-power']],
  ['is balanced', { [PROFILE]: 'balanced' }, []],
])('a Linux machine that %s', async (_, files, states) => {
  const host = new FakeHost();
  for (const [path, text] of Object.entries(files)) host.files.set(path, `${text}\n`);
  expect(await readStates(host)).toEqual(states);
});

/** Output of these programs on macOS 14 and 15. */
const QUIET = {
  '/usr/bin/pmset -g batt':
    "Now drawing from 'AC Power'\n -InternalBattery-0 (id=1234567)\t85%; charged; 0:00 remaining present: true\n",
  '/usr/bin/pmset -g':
    'System-wide power settings:\nCurrently in use:\n standby              1\n lowpowermode         0\n womp 1\n',
  '/usr/bin/pmset -g therm':
    'Note: No thermal warning level has been recorded\nNote: No performance warning level has been recorded\n',
  '/usr/sbin/sysctl -n kern.memorystatus_vm_pressure_level': '1\n',
};
const [BATT, SETTINGS, THERM, PRESSURE] = Object.keys(QUIET) as (keyof typeof QUIET)[];

it.each<[HostConditionKind[], Partial<Record<string, string>>]>([
  [[], {}],
  [[], { [THERM ?? '']: ' - CPU_Scheduler_Limit = 100\n - CPU_Speed_Limit \t= 100\n' }],
  [[], { [SETTINGS ?? '']: ' powermode            2\n' }],
  [['on-battery'], { [BATT ?? '']: "Now drawing from 'Battery Power'\n -InternalBattery-0 (id=1)\t19%;\n" }],
  [['low-power'], { [SETTINGS ?? '']: 'Currently in use:\n lowpowermode         1\n' }],
  [['low-power'], { [SETTINGS ?? '']: 'Currently in use:\n powermode            1\n' }],
  [['thermal'], { [THERM ?? '']: '\tCPU_Scheduler_Limit \t= 100\n\tCPU_Speed_Limit \t= 68\n' }],
  [['memory-pressure'], { [PRESSURE ?? '']: '2\n' }],
  [['memory-pressure'], { [PRESSURE ?? '']: '4\n' }],
])('a Mac has the states %j when its programs print %o', async (states, printed) => {
  const host = new FakeHost('darwin');
  for (const [line, text] of Object.entries({ ...QUIET, ...printed })) host.prints.set(line, text ?? '');
  expect(await readStates(host)).toEqual(states);
});

it('a state holds for the whole trial, whether it was seen before the load or after it', () => {
  expect(stateConditions(['on-battery'], ['on-battery', 'thermal'])).toEqual([
    { kind: 'on-battery', windows: null, value: null, name: null },
    { kind: 'thermal', windows: null, value: null, name: null },
  ]);
});
