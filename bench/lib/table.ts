import stringWidth from 'string-width';

/** Prints rows as a Markdown table; the first row is its head. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(3, ...rows.map((row) => stringWidth(row[column] ?? ''))),
  );
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => padded(row[column] ?? '', width)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  console.log(line(head));
  console.log(`| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  for (const row of body) console.log(line(row));
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(width - stringWidth(text));
}
