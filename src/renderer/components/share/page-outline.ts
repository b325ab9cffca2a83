const LINES = 'h1, h2, h3, p, li, tr, dt, summary';

/** The page is only parsed, never shown or run. */
export function pageOutline(html: string): string {
  // The window's policy complains even of an unused style sheet.
  const unstyled = html.replace(/<style>.*?<\/style>/s, '');
  const page = new DOMParser().parseFromString(unstyled, 'text/html');
  const lines = [...page.body.querySelectorAll<HTMLElement>(LINES)].flatMap((block) => {
    if (block.querySelector(LINES) !== null && block.tagName !== 'TR') return [];
    const line = lineOf(block);
    return line === '' ? [] : [line];
  });
  return `${lines.join('\n')}\n`;
}

function lineOf(block: HTMLElement): string {
  switch (block.tagName) {
    case 'H1':
      return `# ${words(block)}`;
    case 'H2':
      return `\n## ${words(block)}`;
    case 'H3':
      return `\n### ${words(block)}`;
    case 'LI':
      return `• ${words(block)}`;
    case 'TR':
      return [...block.children]
        .map(words)
        .filter((cell) => cell !== '')
        .join(' | ');
    case 'DT':
      return `${words(block)}: ${block.nextElementSibling === null ? '' : words(block.nextElementSibling)}`;
    default:
      return words(block);
  }
}

function words(element: Element): string {
  const copy = element.cloneNode(true);
  if (!(copy instanceof Element)) return '';
  for (const picture of copy.querySelectorAll('svg')) picture.remove();
  for (const end of copy.querySelectorAll('br')) end.replaceWith(' ');
  return (copy.textContent ?? '').replace(/\s+/g, ' ').trim();
}
