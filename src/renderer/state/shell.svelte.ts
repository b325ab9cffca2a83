import type { Figure } from '../../shared/words/method.ts';

/** What lies over every screen, and what powers the machine. */
class ShellState {
  dialog = $state<'about' | 'diagnostics' | undefined>();
  /** The figure whose paragraph of the method is open, or its beginning; undefined: the reader is closed. */
  figure = $state<Figure | 'top' | undefined>();
  onBattery = $state(false);
}

export const shell = new ShellState();
