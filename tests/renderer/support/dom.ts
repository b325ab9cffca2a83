// This import comes first, because other modules keep the functions that it changes.
import './node-bytes.ts';
import '@testing-library/jest-dom/vitest';
import { configure } from '@testing-library/dom';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import * as z from 'zod';
import { removeAssets } from './assets.ts';
import { closeApps } from './open-app.ts';

/* Parts of a browser that jsdom lacks, made before any module of the window is read. */

z.config({ jitless: true });

// The app's modules are compiled once, before any test is timed.
beforeAll(async () => {
  await import('../../../src/renderer/boot.ts');
  await import('../../../src/renderer/screens/others.ts');
}, 120_000);
afterEach(closeApps);
afterAll(removeAssets);

// A run may take a while on a machine that does something else, too; nothing waits longer than it has to.
configure({ asyncUtilTimeout: 20_000 });

window.matchMedia = (query) => ({
  matches: false,
  media: query,
  onchange: null,
  addListener: () => undefined,
  removeListener: () => undefined,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  dispatchEvent: () => true,
});
window.ResizeObserver = class {
  observe = vi.fn();
  unobserve = vi.fn();
  disconnect = vi.fn();
};
HTMLCanvasElement.prototype.getContext = () => null;
Element.prototype.scrollIntoView = vi.fn();
Element.prototype.setPointerCapture = vi.fn();

HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
  const focused = this.querySelector<HTMLElement>('[autofocus], button, input, select, textarea, a[href]');
  focused?.focus();
};
HTMLDialogElement.prototype.close = function close() {
  if (!this.open) return;
  this.open = false;
  this.dispatchEvent(new Event('close'));
};

// The buttons of a form in a dialog close it.
window.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (form.getAttribute('method') !== 'dialog') return;
  event.preventDefault();
  form.closest('dialog')?.close();
});

/**
 * No style sheet is read here, so that only an element's own `hidden` and `style` say whether it is seen. jsdom's own
 * answer takes most of the time of a search by role.
 */
window.getComputedStyle = (element) => {
  const { style } = element as HTMLElement;
  const isShown = !element.hasAttribute('hidden') && !(element instanceof HTMLDialogElement && !element.open);
  const known: Record<string, string> = {
    display: isShown ? style.display || 'block' : 'none',
    visibility: style.visibility || 'visible',
    opacity: style.opacity || '1',
    content: 'none',
  };
  return {
    ...known,
    getPropertyValue: (name: string) => known[name] ?? style.getPropertyValue(name),
  } as unknown as CSSStyleDeclaration;
};
