/** How Svelte compiles the window: for the build, the tests, and svelte-check. */
export default {
  compilerOptions: {
    runes: true,
    css: 'external',
    /**
     * A box that scrolls must be reachable by keyboard.
     *
     * @param {{ code: string }} warning
     */
    warningFilter: ({ code }) => code !== 'a11y_no_noninteractive_tabindex',
  },
};
