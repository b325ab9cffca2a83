import { TPCC_TYPES, type TpccType, type TpccWorkload } from '../../../../shared/model/workload.ts';
import { type Random, shuffled } from '../../../random.ts';
import type { Draws } from '../workload-kind.ts';

/** Source: TPC-C (revision 5.11), clauses 2.1.6 and 4.3.2. */

export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

export function chance(random: Random, percent: number): boolean {
  return random() * 100 < percent;
}

/** Parameters of NURand (clause 2.1.6). */
interface NonUniform {
  a: number;
  c: number;
  low: number;
  high: number;
}

export function nonUniform(random: Random, { a, c, low, high }: NonUniform): number {
  return (((between(random, 0, a) | between(random, low, high)) + c) % (high - low + 1)) + low;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** A draw has 53 bits, and 62⁸ is about 2⁴⁸. */
const AT_ONCE = 8;

/** An a-string (clause 4.3.2.2). */
export function letters(random: Random, least: number, most: number = least): string {
  return characters(random, LETTERS, between(random, least, most));
}

/** An n-string (clause 4.3.2.2). */
export function digits(random: Random, length: number): string {
  return characters(random, '0123456789', length);
}

function characters(random: Random, alphabet: string, length: number): string {
  const { length: size } = alphabet;
  let text = '';
  while (text.length < length) {
    let drawn = Math.floor(random() * size ** AT_ONCE);
    for (let i = Math.min(AT_ONCE, length - text.length); i > 0; i--) {
      text += alphabet.charAt(drawn % size);
      drawn = Math.floor(drawn / size);
    }
  }
  return text;
}

/** (1234, 2) becomes 12.34; `units` must be ≥ 0. */
export function decimal(units: number, places: number): string {
  const text = String(units).padStart(places + 1, '0');
  return `${text.slice(0, -places)}.${text.slice(-places)}`;
}

/** Bounds in units of the last place. */
export function decimalBetween(random: Random, low: number, high: number, places: number): string {
  return decimal(between(random, low, high), places);
}

const SYLLABLES = ['BAR', 'OUGHT', 'ABLE', 'PRI', 'PRES', 'ESE', 'ANTI', 'CALLY', 'ATION', 'EING'] as const;

/** Source: clause 4.3.2.3. */
export function lastName(number: number): string {
  return [...String(number).padStart(3, '0')].map((digit) => SYLLABLES[Number(digit)] ?? '').join('');
}

/** Source: clause 4.3.2.7. */
export function zipCode(random: Random): string {
  return `${digits(random, 4)}11111`;
}

/** I_DATA and S_DATA (clause 4.3.3.1). */
export function originalData(random: Random): string {
  const text = letters(random, 26, 50);
  if (!chance(random, 10)) return text;
  const at = between(random, 0, text.length - ORIGINAL.length);
  return text.slice(0, at) + ORIGINAL + text.slice(at + ORIGINAL.length);
}

const ORIGINAL = 'ORIGINAL';

/** Per warehouse (clause 1.2.1). */
export const DISTRICTS = 10;

/** Source: clause 1.2.1. */
const FULL = { items: 100_000, customers: 3_000, lastNames: 1_000 };
/** NURand's A (clause 2.1.6). */
const A = { items: 8191, customers: 1023, lastNames: 255 };
/** NURand's C. Clause 2.1.6.1: last names' differ by 65 to 119, but not 96 or 112. */
const C = { items: 4517, customers: 613, lastNamesLoaded: 157, lastNames: 223 };

export interface Scale {
  warehouses: number;
  items: number;
  customers: number;
  firstUndelivered: number;
  itemIds: NonUniform;
  customerIds: NonUniform;
  namesLoaded: NonUniform;
  names: NonUniform;
}

export function scaleOf({ warehouses, items, customersPerDistrict: customers }: TpccWorkload): Scale {
  const lastNames = Math.max(1, Math.round((customers * FULL.lastNames) / FULL.customers));
  const parameters = (a: number, full: number, c: number, low: number, high: number): NonUniform => {
    const scaled = scaledA(a, (high - low + 1) / full);
    return { a: scaled, c: c % (scaled + 1), low, high };
  };
  const namesWith = (c: number): NonUniform => parameters(A.lastNames, FULL.lastNames, c, 0, lastNames - 1);
  return {
    warehouses,
    items,
    customers,
    firstUndelivered: Math.floor(customers * 0.7) + 1,
    itemIds: parameters(A.items, FULL.items, C.items, 1, items),
    customerIds: parameters(A.customers, FULL.customers, C.customers, 1, customers),
    namesLoaded: namesWith(C.lastNamesLoaded),
    names: namesWith(C.lastNames),
  };
}

/** Only a power of two minus one keeps some values favored. */
function scaledA(a: number, share: number): number {
  return Math.max(1, 2 ** Math.round(Math.log2((a + 1) * share))) - 1;
}

export interface Terminal {
  warehouse: number;
  district: number;
  scale: Scale;
  draws: Draws;
}

export function terminalOf(connection: number, scale: Scale, draws: Draws): Terminal {
  return {
    warehouse: (connection % scale.warehouses) + 1,
    district: (Math.floor(connection / scale.warehouses) % DISTRICTS) + 1,
    scale,
    draws,
  };
}

export function drawDistrict({ draws }: Terminal): number {
  return between(draws.ids, 1, DISTRICTS);
}

export function drawOtherWarehouse({ warehouse, scale, draws }: Terminal): number {
  if (scale.warehouses === 1) return warehouse;
  const other = between(draws.ids, 1, scale.warehouses - 1);
  return other < warehouse ? other : other + 1;
}

const SHARES: Record<TpccType, number> = {
  new_order: 10,
  payment: 10,
  order_status: 1,
  delivery: 1,
  stock_level: 1,
};
const CARDS = TPCC_TYPES.flatMap((type) => Array.from({ length: SHARES[type] }, () => type));

/** `specification`: shuffled decks (clauses 5.2.3 and 5.2.4.2). */
export function transactionTypes(mix: TpccWorkload['mix'], random: Random): () => TpccType {
  if (mix === 'sysbench-tpcc') return () => CARDS[between(random, 0, CARDS.length - 1)] as TpccType;
  let deck: TpccType[] = [];
  let next = 0;
  return () => {
    if (next === deck.length) {
      deck = shuffled(CARDS, random);
      next = 0;
    }
    return deck[next++] as TpccType;
  };
}
