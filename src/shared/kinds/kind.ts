import type { Message } from '../message.ts';

export function kindsOf<K extends string>(registry: Readonly<Record<K, unknown>>): K[] {
  return Object.keys(registry).filter((kind): kind is K => Object.hasOwn(registry, kind));
}

/** What the passport does not say; looked up only for plans that need it. Why it can't be had, or undefined. */
export interface SupportFacts {
  bind?: Message | undefined;
  /** That folder, for the engine. */
  shared?: Message | undefined;
  native?: Message | undefined;
  swarm?: Message | undefined;
  ingress?: Message | undefined;
  clientEngine?: Message | undefined;
}

/** On light and on dark cards; each with a contrast above 3. */
export type Shades = Record<'light' | 'dark', readonly [string, string, string]>;
