import type { Figure } from '../../shared/words/method.ts';

/** The figure whose paragraph of the method is open, or its beginning; undefined: the reader is closed. */
class MethodState {
  figure = $state<Figure | 'top' | undefined>();
}

export const method = new MethodState();
