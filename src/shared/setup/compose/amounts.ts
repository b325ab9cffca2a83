const BYTES: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  t: 2 ** 40,
};

/** "512m", "1.5gb", "1073741824"; undefined: no size. */
export function bytesOf(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([bkmgt]?)(?:i?b)?$/i.exec(text.trim()) ?? [];
  const factor = BYTES[unit.toLowerCase()];
  const bytes = Number(digits) * (factor ?? NaN);
  return bytes > 0 && bytes <= Number.MAX_SAFE_INTEGER ? bytes : undefined;
}

/** Not rounded. */
export function mebibytesOf(text: string): number | undefined {
  const bytes = bytesOf(text);
  return bytes === undefined ? undefined : bytes / 2 ** 20;
}
