import { describe, expect, it } from 'vitest';
import { macStates, readStates, stateConditions } from '../../../../src/benchmark/host/host-watch.ts';
import { FakeHost } from './fake-host.ts';

function supply(host: FakeHost, name: string, attributes: Record<string, string>): void {
  for (const [attribute, value] of Object.entries(attributes)) {
    host.files.set(`/sys/class/power_supply/${name}/${attribute}`, `${value}\n`);
  }
}

describe('power on Linux', () => {
  it('comes from a battery that is being emptied', async () => {
    const host = new FakeHost();
    supply(host, 'AC', { type: 'Mains', online: '0' });
    supply(host, 'BAT0', { type: 'Battery', status: 'Discharging' });
    expect(await readStates(host)).toEqual(['on-battery']);
    supply(host, 'BAT0', { status: 'Charging' });
    expect(await readStates(host)).toEqual([]);
  });

  it('does not come from the battery of a mouse', async () => {
    const host = new FakeHost();
    supply(host, 'hidpp_battery_0', { type: 'Battery', scope: 'Device', status: 'Discharging' });
    expect(await readStates(host)).toEqual([]);
  });

  it.each([
    ['low-power', ['low-power']],
    ['balanced', []],
    ['quiet', []],
  ])('is saved under the profile %s', async (profile, states) => {
    const host = new FakeHost();
    host.files.set('/sys/firmware/acpi/platform_profile', `${profile}\n`);
    expect(await readStates(host)).toEqual(states);
  });
});

/** As these programs print on macOS 14 and 15. */
const MAC = {
  battery:
    "Now drawing from 'AC Power'\n -InternalBattery-0 (id=1234567)\t85%; charged; 0:00 remaining present: true\n",
  settings:
    'System-wide power settings:\nCurrently in use:\n standby              1\n lowpowermode         0\n womp 1\n',
  heat: 'Note: No thermal warning level has been recorded\nNote: No performance warning level has been recorded\n',
  pressure: '1\n',
};

describe('power, heat and memory on macOS', () => {
  it('are nothing to speak of on a quiet machine', () => {
    expect(macStates(MAC)).toEqual([]);
    expect(macStates({ ...MAC, heat: ' - CPU_Scheduler_Limit = 100\n - CPU_Speed_Limit \t= 100\n' })).toEqual(
      [],
    );
    expect(macStates({ ...MAC, settings: ' powermode            2\n' })).toEqual([]);
  });

  it.each([
    [
      'on-battery',
      { battery: "Now drawing from 'Battery Power'\n -InternalBattery-0 (id=1)\t19%; discharging;\n" },
    ],
    ['low-power', { settings: 'Currently in use:\n lowpowermode         1\n' }],
    ['low-power', { settings: 'Currently in use:\n powermode            1\n' }],
    [
      'thermal',
      { heat: '\tCPU_Scheduler_Limit \t= 100\n\tCPU_Available_CPUs \t= 8\n\tCPU_Speed_Limit \t= 68\n' },
    ],
    ['memory-pressure', { pressure: '2\n' }],
    ['memory-pressure', { pressure: '4\n' }],
  ])('are told: %s', (state, said) => {
    expect(macStates({ ...MAC, ...said })).toEqual([state]);
  });

  it('are asked of the system’s own programs, and missing where these fail', async () => {
    const host = new FakeHost('darwin');
    expect(await readStates(host)).toEqual([]);
    host.prints.set('/usr/bin/pmset -g batt', "Now drawing from 'Battery Power'\n");
    host.prints.set('/usr/bin/pmset -g', ' lowpowermode         1\n');
    host.prints.set('/usr/bin/pmset -g therm', 'CPU_Speed_Limit = 50\n');
    host.prints.set('/usr/sbin/sysctl -n kern.memorystatus_vm_pressure_level', '4\n');
    expect(await readStates(host)).toEqual(['on-battery', 'low-power', 'thermal', 'memory-pressure']);
  });
});

describe('a state', () => {
  it('holds for the whole trial, whether it was seen before the load or after it', () => {
    expect(stateConditions(['on-battery'], ['on-battery', 'thermal'])).toEqual([
      { kind: 'on-battery', windows: null, value: null, name: null },
      { kind: 'thermal', windows: null, value: null, name: null },
    ]);
  });

  it('is not known on Windows', async () => {
    expect(await readStates(new FakeHost('win32'))).toEqual([]);
  });
});
