import type { Message } from '../message.ts';

export function kindsOf<K extends string>(registry: Readonly<Record<K, unknown>>): K[] {
  return Object.keys(registry).filter((kind): kind is K => Object.hasOwn(registry, kind));
}

/** Reasons for refusal that need a look; undefined: possible, or not needed. */
export interface SupportFacts {
  bind?: Message | undefined;
  /** Bind mounts' folder as the engine sees it. */
  shared?: Message | undefined;
  native?: Message | undefined;
  swarm?: Message | undefined;
  ingress?: Message | undefined;
  clientEngine?: Message | undefined;
}

/** Each color has a contrast above 3 on its card. */
export type Shades = Record<'light' | 'dark', readonly [string, string, string]>;
