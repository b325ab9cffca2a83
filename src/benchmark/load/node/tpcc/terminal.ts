import { between, DISTRICTS, type Scale } from './draw.ts';
import type { Draws } from '../workload-engine.ts';
import type { TpccWorkload } from '../../../../shared/model/workload.ts';
import { type Random, shuffled } from '../../../../shared/random.ts';

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

/** The five transactions, by the names that results keep them under. */
export const TPCC_TYPES = ['new_order', 'payment', 'order_status', 'delivery', 'stock_level'] as const;
export type TpccType = (typeof TPCC_TYPES)[number];

/** Cards of a deck, and faces of the dice: 43.5 % twice and 4.35 % three times. */
const SHARES: Record<TpccType, number> = {
  new_order: 10,
  payment: 10,
  order_status: 1,
  delivery: 1,
  stock_level: 1,
};
const CARDS = TPCC_TYPES.flatMap((type) => Array.from({ length: SHARES[type] }, () => type));

/**
 * What a connection runs, one after the other. `specification`: a shuffled deck, and when it is used up another, so that
 * the least shares of clause 5.2.3 are kept in every 23 transactions (clause 5.2.4.2). `sysbench-tpcc`: dice, each
 * throw for itself.
 */
export function transactionTypes(mix: TpccWorkload['mix'], random: Random): () => TpccType {
  if (mix === 'sysbench-tpcc') return () => cardAt(CARDS, between(random, 0, CARDS.length - 1));
  let deck: TpccType[] = [];
  let next = 0;
  return () => {
    if (next === deck.length) {
      deck = shuffled(CARDS, random);
      next = 0;
    }
    return cardAt(deck, next++);
  };
}

function cardAt(cards: readonly TpccType[], index: number): TpccType {
  const card = cards[index];
  if (card === undefined) throw new RangeError(`there is no card ${index}`);
  return card;
}
