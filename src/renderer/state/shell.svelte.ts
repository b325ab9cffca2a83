/** What stands over every screen. */
class ShellState {
  isAboutOpen = $state(false);
  isDiagnosticsOpen = $state(false);
}

export const shell = new ShellState();
