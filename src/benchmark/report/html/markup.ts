import { escapeXml } from '../svg.ts';

/** A piece of HTML that is safe to put into another one. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

type Value = string | number | Markup | readonly Markup[];

/** HTML of a template: whatever is put in is escaped, in elements and in quoted attributes, unless it is Markup itself. */
export function markup(template: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const html = template.map((text, index) => {
    const value = values[index];
    return value === undefined ? text : text + htmlOf(value);
  });
  return new Markup(html.join(''));
}

/** Nothing. */
export const NONE = new Markup('');

function htmlOf(value: Value): string {
  if (value instanceof Markup) return value.html;
  if (typeof value === 'string' || typeof value === 'number') return escapeXml(String(value));
  return value.map(({ html }) => html).join('\n');
}
