import type { Page } from '@playwright/test';

/** What the checks use of the page's elements; see in-page.ts for why they are described here. */
interface Box {
  tagName: string;
  className: unknown;
  textContent: string | null;
  scrollWidth: number;
  clientWidth: number;
  scrollHeight: number;
  clientHeight: number;
  childNodes: Iterable<{ nodeType: number; textContent: string | null }>;
  parentElement: Box | null;
  closest(selector: string): Box | null;
  matches(selector: string): boolean;
  getAttribute(name: string): string | null;
  getClientRects(): { length: number };
}
interface Styled {
  document: { querySelectorAll(selector: string): Iterable<Box> };
  getComputedStyle(element: Box): Record<'overflowX' | 'overflowY' | 'display' | 'visibility', string>;
}

/** Where people scroll on purpose, and what is there for screen readers only. */
const SCROLLS = '.scroll-x, pre, textarea, input, canvas, svg, main, .visually-hidden, .skip';

/**
 * Texts that are cut off or stand out of their place: an element that hides what is wider or higher than itself, and a
 * button, badge, cell or option whose content is wider than it is.
 */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate((scrolls) => {
    const inPage = globalThis as unknown as Styled;
    const found: string[] = [];
    for (const element of inPage.document.querySelectorAll('body *')) {
      if (element.closest(scrolls) !== null && !element.matches('button, .badge, td, th, label')) continue;
      if (element.closest('.visually-hidden, .skip, svg') !== null) continue;
      if (element.getClientRects().length === 0 || (element.textContent ?? '').trim() === '') continue;
      const style = inPage.getComputedStyle(element);
      if (style.display === 'inline' || style.display === 'contents') continue;
      const hides = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip';
      const isWider = element.scrollWidth > element.clientWidth + 1;
      const isHigher = element.scrollHeight > element.clientHeight + 1;
      const holdsItsText = element.matches(
        'button, .badge, td, th, option, label, legend, dt, dd, h1, h2, h3',
      );
      if (
        (isWider && (hides(style.overflowX) || holdsItsText)) ||
        (isHigher && (hides(style.overflowY) || element.matches('button, .badge')))
      ) {
        const text = (element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 80);
        found.push(`${element.tagName.toLowerCase()}.${String(element.className)}: ${text}`);
      }
    }
    return found;
  }, SCROLLS);
}

/** What a screen says: texts of single elements, and the names that screen readers read out. */
export function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const inPage = globalThis as unknown as Styled;
    const texts = new Set<string>();
    for (const element of inPage.document.querySelectorAll('body *')) {
      // Code, logs and what the user writes are nobody's to translate; `lang` marks another language.
      if (element.closest('code, pre, textarea, script, style, .mono, [lang]:not(html)') !== null) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        const text = element.getAttribute(name);
        if (text !== null) texts.add(text);
      }
      if (element.getClientRects().length === 0) continue;
      const own = [...element.childNodes]
        .filter(({ nodeType }) => nodeType === 3)
        .map(({ textContent }) => textContent ?? '')
        .join(' ');
      if (own.trim() !== '') texts.add(own.trim().replace(/\s+/g, ' '));
    }
    return [...texts];
  });
}

/** Words that stand in Chinese texts as they are: products, options, units, file formats, terms of the field. */
const ALLOWED = [
  /\b(?:Whalemark|Docker|Desktop|Engine|OrbStack|Colima|Rancher|Podman|Electron|Linux|Debian|Ubuntu|Windows|macOS|Mac|LinuxKit)\b/gi,
  /\b(?:MySQL|MariaDB|Percona|Server|InnoDB|Oracle|SELinux|Intel|AMD|Xeon|Core|EPYC|Ryzen|sysbench|node|YAML|CSV|JSON|PNG|HTML|Markdown|NFS|API|CPUs?|GPU|RAM|VM|SSD|IP|IPVS|DSN|SQL|TCP|TLS|SSH|CA|id|ids)\b/gi,
  /\b(?:TPC-C|tpmC|TPS|QPS|p\d+|fsyncs?|COMMIT|BEGIN|Poisson|I\/O|ms|µs|s|B|[KMGT]i?B|GHz|x86_64|aarch64|arm64|v?\d[\w.]*)\b/g,
  /\b(?:tmpfs|overlay2?|ext4|xfs|virtiofs|bridge|ingress|swarm|context|socket|rootless|named|Unix|Settings|Resources|Network|Enable host networking|journal|schema|Wrong|colour|nowhere|ramp|grid)\b/gi,
  // Options, variables, references of images, paths, ids and file names.
  /(?:--?[a-z][\w-]*(?:=\S+)?|[\w-]*[_/:.@~][\w./:@~-]*[\w])/g,
];

/** The Latin words of a text that ought to be Chinese. */
export function englishIn(text: string): string[] {
  const rest = ALLOWED.reduce((left, words) => left.replace(words, ' '), text);
  return rest.match(/[A-Za-z]{2,}/g) ?? [];
}
