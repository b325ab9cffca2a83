import type { HostCondition, HostConditionKind } from '../../shared/model/evidence.ts';
import type { HostSource } from '../machine/host-source.ts';

const SUPPLIES = '/sys/class/power_supply';
const PROFILE = '/sys/firmware/acpi/platform_profile';
const PMSET = '/usr/bin/pmset';
const SYSCTL = '/usr/sbin/sysctl';

/** Before and after the load only: battery files take milliseconds, programs more. Unknown on Windows. */
export async function readStates(source: HostSource): Promise<HostConditionKind[]> {
  if (source.platform === 'linux') {
    return [
      ...(runsOnBattery(source) ? (['on-battery'] as const) : []),
      ...(source.read(PROFILE)?.trim() === 'low-power' ? (['low-power'] as const) : []),
    ];
  }
  if (source.platform !== 'darwin') return [];
  const [battery, settings, heat, pressure] = await Promise.all([
    source.run(PMSET, ['-g', 'batt']),
    source.run(PMSET, ['-g']),
    source.run(PMSET, ['-g', 'therm']),
    source.run(SYSCTL, ['-n', 'kern.memorystatus_vm_pressure_level']),
  ]);
  return macStates({ battery, settings, heat, pressure });
}

/** States before or after the load. */
export function stateConditions(
  before: readonly HostConditionKind[],
  after: readonly HostConditionKind[],
): HostCondition[] {
  return [...new Set([...before, ...after])].map((kind) => ({
    kind,
    windows: null,
    value: null,
    name: null,
  }));
}

/** A discharging battery of the machine (kernel ABI, sysfs-class-power); a mouse's has the scope "Device". */
function runsOnBattery(source: HostSource): boolean {
  return source.list(SUPPLIES).some((name) => {
    const value = (attribute: string): string | undefined =>
      source.read(`${SUPPLIES}/${name}/${attribute}`)?.trim();
    const powersAll = value('scope') !== 'Device';
    return (
      (value('type') === 'Battery' || value('type') === 'UPS') &&
      powersAll &&
      value('status') === 'Discharging'
    );
  });
}

/**
 * From `pmset -g batt`, `pmset -g`, `pmset -g therm` (pmset(1)), and the pressure level: 1 normal, 2 warning, 4
 * critical. Low power: `lowpowermode 1`, or `powermode 1` with three modes.
 */
export function macStates(said: {
  battery: string | undefined;
  settings: string | undefined;
  heat: string | undefined;
  pressure: string | undefined;
}): HostConditionKind[] {
  const states: HostConditionKind[] = [];
  if (/Now drawing from '(?:Battery|UPS) Power'/.test(said.battery ?? '')) states.push('on-battery');
  if (/^\s*(?:lowpowermode|powermode)\s+1\b/m.test(said.settings ?? '')) states.push('low-power');
  const speed = /CPU_Speed_Limit\s*=\s*(\d+)/.exec(said.heat ?? '')?.[1];
  if (speed !== undefined && Number(speed) < 100) states.push('thermal');
  if (Number(said.pressure ?? 1) >= 2) states.push('memory-pressure');
  return states;
}
