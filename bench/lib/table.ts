import stringWidth from 'string-width';

/** Rows as a Markdown table; the first row is its head. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(3, ...rows.map((row) => stringWidth(row[column] ?? ''))),
  );
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => padded(row[column] ?? '', width)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [head, widths.map((width) => '-'.repeat(width)), ...body].map(line).join('\n');
}

export function printTable(rows: readonly (readonly string[])[]): void {
  console.log(tableOf(rows));
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(width - stringWidth(text));
}
