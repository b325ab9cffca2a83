import type { WhalemarkApi } from '../../../src/shared/contract/ipc.ts';

/** A script or link that a test adds to the page. */
interface PageElement {
  textContent: string | null;
  href: string;
  click(): void;
  remove(): void;
  getAttribute(name: string): string | null;
}

/**
 * The page's globals, as far as tests use them. The project has one TypeScript program, and the browser's types in it
 * would let Node code use them: inside `page.evaluate` write `const inPage = globalThis as unknown as InPage`.
 */
export interface InPage {
  whalemark: WhalemarkApi;
  location: { href: string };
  open(address: string): unknown;
  fetch(address: string): Promise<unknown>;
  eval(code: string): unknown;
  document: {
    head: { append(element: PageElement): void };
    body: { append(element: PageElement): void };
    createElement(name: string): PageElement;
    querySelector(selector: string): PageElement | null;
  };
}
