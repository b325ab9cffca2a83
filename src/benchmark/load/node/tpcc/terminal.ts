import type { Draws } from '../workload-engine.ts';
import { between } from './draw.ts';
import { DISTRICTS, type Scale } from './scale.ts';

/** One connection: where it stands and what it draws from. */
export interface Terminal {
  /** Its own warehouse, for its whole life (clause 2.4.1.1). */
  warehouse: number;
  /** Its own district; only Stock-Level keeps to it (clause 2.8.1.1). */
  district: number;
  scale: Scale;
  draws: Draws;
}

/** `connection`: its number in the whole load, from 0; each warehouse gets one before one gets a second. */
export function terminalOf(connection: number, scale: Scale, draws: Draws): Terminal {
  return {
    warehouse: (connection % scale.warehouses) + 1,
    district: (Math.floor(connection / scale.warehouses) % DISTRICTS) + 1,
    scale,
    draws,
  };
}

/** Any district of a warehouse. */
export function drawDistrict({ draws }: Terminal): number {
  return between(draws.ids, 1, DISTRICTS);
}

/** Any warehouse but the terminal's own; its own where there is no other. */
export function drawOtherWarehouse({ warehouse, scale, draws }: Terminal): number {
  if (scale.warehouses === 1) return warehouse;
  const other = between(draws.ids, 1, scale.warehouses - 1);
  return other < warehouse ? other : other + 1;
}
