/** The rows of a CSV file as RFC 4180 has them: quotes, doubled quotes, line breaks within quotes. */
export function parseCsv(csv: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  for (let index = 0; index < csv.length; index++) {
    const character = csv.charAt(index);
    if (quoted && character === '"' && csv.charAt(index + 1) === '"') {
      cell += '"';
      index += 1;
    } else if (character === '"') {
      quoted = !quoted;
    } else if (!quoted && (character === ',' || character === '\n')) {
      rows.at(-1)?.push(cell);
      cell = '';
      if (character === '\n') rows.push([]);
    } else {
      cell += character;
    }
  }
  return rows.slice(0, -1);
}
