import { OWNER_LABEL } from './labels.ts';

/** The engine's filter for everything that carries our owner label, whatever its value; a new object each time, since docker-modem changes what it is given. */
export function ownedFilter(): { label: string[] } {
  return { label: [OWNER_LABEL] };
}
