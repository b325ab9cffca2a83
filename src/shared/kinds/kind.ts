import type { Message } from '../message.ts';

export function kindsOf<K extends string>(registry: Readonly<Record<K, unknown>>): K[] {
  return Object.keys(registry).filter((kind): kind is K => Object.hasOwn(registry, kind));
}

/** Reasons why a plan can't have something, which only a look tells; undefined: it can, or the plan doesn't need it. */
export interface SupportFacts {
  /** The folder of bind mounts. */
  bind?: Message | undefined;
  /** The same folder, as the engine sees it. */
  shared?: Message | undefined;
  native?: Message | undefined;
  swarm?: Message | undefined;
  ingress?: Message | undefined;
  clientEngine?: Message | undefined;
}

/** Colors on light and on dark cards, each with a contrast above 3. */
export type Shades = Record<'light' | 'dark', readonly [string, string, string]>;
