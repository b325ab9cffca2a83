import { request } from '../api.ts';

/** What feeds the machine. */
class PowerState {
  onBattery = $state(false);
}

export const power = new PowerState();

/** Learns how it is now; changes come as events. */
export async function askPower(): Promise<void> {
  const { onBattery } = await request('app:power', {});
  power.onBattery = onBattery;
}
