import { escapeXml } from './svg.ts';

/** Escaped HTML. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

type Value = string | number | Markup | readonly Markup[];

/** Escapes everything but Markup, for elements and quoted attributes. */
export function markup(template: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const html = template.map((text, index) => {
    const value = values[index];
    return value === undefined ? text : text + htmlOf(value);
  });
  return new Markup(html.join(''));
}

export const NONE = new Markup('');

function htmlOf(value: Value): string {
  if (value instanceof Markup) return value.html;
  if (typeof value === 'string' || typeof value === 'number') return escapeXml(String(value));
  return value.map(({ html }) => html).join('\n');
}
