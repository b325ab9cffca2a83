import type { TpccWorkload } from '../../../../shared/model/workload.ts';
import type { NonUniform } from './draw.ts';

/** Districts of a warehouse (clause 1.2.1). */
export const DISTRICTS = 10;

/** Sizes by the specification (clause 1.2.1), from which short looks take a share. */
const FULL = { items: 100_000, customers: 3_000, lastNames: 1_000 };
/** A of NURand for each (clause 2.1.6). */
const A = { items: 8191, customers: 1023, lastNames: 255 };
/**
 * C of NURand: any from 0 to A, the same for all connections. Clause 2.1.6.1 wants the last names' two constants, while
 * loading and while running, to be 65 to 119 apart, but neither 96 nor 112.
 */
const C = { items: 4517, customers: 613, lastNamesLoaded: 157, lastNames: 223 };

/** How big a workload's tables are and how its rows are drawn. */
export interface Scale {
  warehouses: number;
  items: number;
  /** Of a district; as many orders are there at the beginning. */
  customers: number;
  /** The first order of a district that is not delivered at the beginning: 30 % of them are not (clause 4.3.3.1). */
  firstUndelivered: number;
  itemIds: NonUniform;
  customerIds: NonUniform;
  /** Numbers of last names while loading and while running. */
  namesLoaded: NonUniform;
  names: NonUniform;
}

/** At the specification's sizes its own constants; with fewer rows everything keeps its proportion. */
export function scaleOf({ warehouses, items, customersPerDistrict: customers }: TpccWorkload): Scale {
  // Three customers share a last name on average.
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

/** NURand's A for a range of another size: still a power of two less one, so that some values stay as favoured. */
function scaledA(a: number, share: number): number {
  return Math.max(1, 2 ** Math.round(Math.log2((a + 1) * share))) - 1;
}
