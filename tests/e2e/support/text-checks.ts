import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

/** The page's elements as far as the checks use them. in-page.ts says why they are described here. */
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
  getBoundingClientRect(): { top: number };
  checkVisibility(): boolean;
}
interface Styled {
  innerHeight: number;
  document: { querySelectorAll(selector: string): Iterable<Box> };
  getComputedStyle(element: Box): Record<'overflowX' | 'overflowY' | 'display' | 'visibility', string>;
}

/** Places where people scroll on purpose, and texts for screen readers only. */
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
      // In a small window some texts are for screen readers only.
      if (element.clientWidth <= 1 && element.clientHeight <= 1) continue;
      const style = inPage.getComputedStyle(element);
      if (style.display === 'inline' || style.display === 'contents') continue;
      const hides = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip';
      // The flags that explain a figure are a few pixels larger than they look, for fingers.
      const isWider = element.scrollWidth > element.clientWidth + (element.matches('td, th') ? 6 : 1);
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

/** The words of a screen that are seen without scrolling. */
export function wordsAboveTheFold(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const inPage = globalThis as unknown as Styled;
    const seen = [...inPage.document.querySelectorAll('main *')].filter(
      (element) =>
        element.checkVisibility() &&
        element.closest('.visually-hidden') === null &&
        element.getBoundingClientRect().top < inPage.innerHeight,
    );
    const texts = seen.flatMap(({ childNodes }) =>
      [...childNodes].flatMap(({ nodeType, textContent }) => (nodeType === 3 ? (textContent ?? '') : [])),
    );
    return texts.join(' ').match(/[^\s·]*[\p{L}\p{N}][^\s·]*/gu) ?? [];
  });
}

/** The screen's texts, of single elements, and the names that screen readers read out. */
export function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const inPage = globalThis as unknown as Styled;
    const texts = new Set<string>();
    for (const element of inPage.document.querySelectorAll('body *')) {
      // Code, logs, and what the user writes aren't translated; `lang` flags another language.
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

/** Words that are in Chinese texts as they are: products, options, units, file formats, terms of the field. */
const ALLOWED = [
  /\b(?:Docker for Mac|docker swarm init|nfs-vs-local|docker-options|docker (?:pull|run|compose down)|AMD Ryzen|sizeMiB|in-memory|(?:mysqlx-)?bind-address|Enable host networking|Enhanced Container Isolation)\b/g,
  // Options, variables, references of images, paths, ids and file names.
  /(?:--?[a-z][\w-]*(?:=\S+)?|[\w-]*[_/:.@~][\w./:@~-]*\w)/g,
  /\b(?:VirtioFS|gRPC FUSE|osxfs|SSHFS|Docker VMM|Apple Virtualization framework|WSL|Hyper-V|Rosetta|File sharing|Performance Schema)\b/g,
  /\b(?:Whalemark|Docker|Desktop|Engine|OrbStack|Colima|Rancher|Podman|Linux|linux|Debian|Windows|macOS|Mac|Electron|Chromium)\b/g,
  /\b(?:MySQL|mysql|colima|MariaDB|Percona|Server|InnoDB|Oracle|SELinux|mysqld|mariadbd|sysbench|builtin|node|tpcc|uniform|special)\b/g,
  /\b(?:YAML|CSV|JSON|PNG|NFS|nfs|API|CPU|VM|IP|IPVS|SQL|PATH|TPC-C|tpmC|TPS|QPS|fsync|SELECT|COMMIT|BEGIN|I\/O|ids?)\b/g,
  /\b(?:ms|[KMGT]?i?B|GHz|x86_64|aarch64|arm64|tmpfs|overlay2?|ext4|fakeowner|virtiofs|VirtioFS|Unix|Overlay)\b/g,
  /\b(?:docker|compose|pod|host|oltp|root|sudo|VPN|PowerShell|HTML|Markdown|issue|amd64|mariadb|percona|ID|Compose|NAT|steal|bridge|ingress|swarm|context|socket|rootless|native|journal|update|named|schema|sweep|grid|Settings|General|Resources|Network)\b/g,
  // Types and fields of YAML.
  /\b(?:string|number|array|object|name|question|schedule|color|nowhere|clientEngine)\b/g,
];

/** The Latin words of a text that ought to be Chinese. */
export function englishIn(text: string): string[] {
  const rest = ALLOWED.reduce((left, words) => left.replace(words, ' '), text.replaceAll('\u200b', ''));
  return rest.match(/[A-Za-z]{2,}/g) ?? [];
}

/** Texts by others: published experiments, Docker, a server, the user of these tests. */
const QUOTED = [
  ...publishedTexts(),
  'registry-1.docker.io: no such host',
  'connect ETIMEDOUT',
  'MySQL Community Server - GPL',
  'Docker storage and network (docker-options-copy)',
  'Which Docker storage and network slow my MySQL down?',
  'default',
  'The engine of annas-laptop at ssh://anna:geheim@10.4.5.6:22 keeps its files in /home/anna/docker.',
  'Ubuntu 24.04.2 LTS',
  'Apache License',
  // Ids of presets.
  'oracle-2016-storage',
  'connection-sweep',
  // Docker Desktop's own buttons, and commands.
  'Resource Saver',
  'Resume',
  'Switch to Linux containers',
  'sudo usermod -aG docker $USER',
  'docker context inspect',
];

/** Every text of the published experiments. */
function publishedTexts(): string[] {
  const folder = join(import.meta.dirname, '../../../assets/reference');
  const texts = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
  };
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => texts(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
    .filter((text) => text.includes(' '));
}

/** A text without what others wrote in it; `more` is only of this screen. */
export function withoutQuotes(text: string, more: readonly string[]): string {
  const longestFirst = [...more, ...QUOTED].sort((one, other) => other.length - one.length);
  return longestFirst.reduce((left, quoted) => left.replaceAll(quoted, ''), text);
}
