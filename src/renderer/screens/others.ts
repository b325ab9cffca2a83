/** Home is drawn before these are loaded. */
export { default as Compare } from './Compare.svelte';
export { default as History } from './History.svelte';
export { default as Live } from './Live.svelte';
export { default as Plan } from './Plan.svelte';
export { default as Result } from './Result.svelte';
export { default as Settings } from './Settings.svelte';
export { default as Wizard } from './Wizard.svelte';
