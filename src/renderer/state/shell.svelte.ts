/** What stands over every screen. */
class ShellState {
  isAboutOpen = $state(false);
}

export const shell = new ShellState();
