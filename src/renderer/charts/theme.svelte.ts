import type { Theme } from './palette.ts';

const dark = window.matchMedia('(prefers-color-scheme: dark)');

/** CSS can't reach canvases. */
class ThemeState {
  name = $state<Theme>(dark.matches ? 'dark' : 'light');
  readonly ink = $derived.by(() => {
    void this.name;
    const style = getComputedStyle(document.documentElement);
    return {
      text: style.getPropertyValue('--text-2').trim(),
      grid: style.getPropertyValue('--line').trim(),
      warn: style.getPropertyValue('--warn').trim(),
      font: style.getPropertyValue('--font').trim(),
    };
  });
}

export const theme = new ThemeState();
dark.addEventListener('change', ({ matches }) => {
  theme.name = matches ? 'dark' : 'light';
});
