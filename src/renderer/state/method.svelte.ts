import type { Figure } from '../../shared/method.ts';

/** The figure whose paragraph of the method is open; undefined: the reader is closed. */
class MethodState {
  figure = $state<Figure | undefined>();
}

export const method = new MethodState();
