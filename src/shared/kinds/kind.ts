import type { Message } from '../message.ts';

/** The kinds of a registry, in its order, which is also that of choices. */
export function kindsOf<K extends string>(registry: Readonly<Record<K, unknown>>): K[] {
  return Object.keys(registry).filter((kind): kind is K => Object.hasOwn(registry, kind));
}

/** What the passport does not say; looked up only for plans that need it. Why it can't be had, or undefined. */
export interface SupportFacts {
  /** A folder for bind mounts and native datadirs. */
  bind?: Message | undefined;
  /** A server program on this machine. */
  native?: Message | undefined;
  /** An answer at the user's own address. */
  external?: Message | undefined;
  /** A swarm, there or to be started. */
  swarm?: Message | undefined;
  /** The routing mesh. */
  ingress?: Message | undefined;
  /** A swarm node for the client, by the node asked for. */
  clientNodes?: Record<string, Message>;
}

/** On light and on dark cards; each with a contrast above 3. */
export type Shades = Record<'light' | 'dark', readonly [string, string, string]>;
