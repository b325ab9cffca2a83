import type { Scenario, ServerSetup } from '../model/plan.ts';
import { setupId } from '../model/setup-id.ts';

/** The names of servers and regimes, as plans make the ids (model/setup-id.ts) and names of setups. */

/** The server of a scenario, whatever its regime: `default`, or the preset's name for it. */
export function serverKey({ setupId, regime }: Pick<Scenario, 'setupId' | 'regime'>): string {
  return regime === null ? setupId : withoutTail(setupId, `.${regime}`);
}

/**
 * What people call a regime: the preset's own server is named after it. Where only named servers run, it is what all of
 * their names end with, or behind the last comma of the only one.
 */
export function regimeName(setups: readonly Pick<ServerSetup, 'id' | 'name'>[], regime: string): string {
  const own = setups.find(({ id }) => id === setupId({ server: undefined, regime }))?.name ?? null;
  if (own !== null) return own;
  const [first = [], ...others] = setups.flatMap(({ id, name }) =>
    id.endsWith(`.${regime}`) && name !== null ? [name.split(', ')] : [],
  );
  let shared = 1;
  const isShared = (count: number): boolean =>
    others.length > 0 && others.every((parts) => parts.at(-count) === first.at(-count));
  while (shared + 1 < first.length && isShared(shared + 1)) shared += 1;
  return first.length === 0 ? regime : first.slice(-shared).join(', ');
}

/** A text without what it ends with; the whole of it where it ends otherwise. */
export function withoutTail(text: string, tail: string): string {
  return tail !== '' && text.endsWith(tail) ? text.slice(0, -tail.length) : text;
}
