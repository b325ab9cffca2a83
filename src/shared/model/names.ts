import { kindsOf } from '../kinds/kind.ts';
import { MIXES } from '../kinds/mixes.ts';
import { PATHS } from '../kinds/paths.ts';
import { STORAGES } from '../kinds/storages.ts';

export { STATEMENT_KINDS, type StatementKind } from './statement-kinds.ts';

export const STORAGE_KINDS = kindsOf(STORAGES);
export const PATH_KINDS = kindsOf(PATHS);
export const OLTP_KINDS = kindsOf(MIXES);
export const WORKLOAD_KINDS = [...OLTP_KINDS, 'tpcc'] as const;

export const DISTRIBUTIONS = ['uniform', 'special', 'gaussian', 'pareto', 'zipfian'] as const;
export type Distribution = (typeof DISTRIBUTIONS)[number];

export const LOAD_GENERATORS = ['builtin', 'sysbench'] as const;
export type LoadGenerator = (typeof LOAD_GENERATORS)[number];

export const FLAVORS = ['mysql', 'percona', 'mariadb'] as const;
export type Flavor = (typeof FLAVORS)[number];

export const PLACEMENTS = ['host', 'container'] as const;
export type Placement = (typeof PLACEMENTS)[number];

export const VERDICTS = ['slower', 'faster', 'same', 'inconclusive'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** `threads`: a blocking thread per connection; `loop`: event loops with many connections each. */
export const TRANSPORTS = ['threads', 'loop'] as const;
export type Transport = (typeof TRANSPORTS)[number];
