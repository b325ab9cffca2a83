import { OWNER_LABEL } from '../labels.ts';

/**
 * The engine's filter for everything that carries our owner label, whatever its value. A new object each time:
 * docker-modem changes what it is given.
 */
export function ownedFilter(): { label: string[] } {
  return { label: [OWNER_LABEL] };
}
