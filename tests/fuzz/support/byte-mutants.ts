import fc from 'fast-check';

interface Change {
  operation: 'set' | 'cut' | 'take-out' | 'insert' | 'repeat';
  at: number;
  length: number;
  bytes: Uint8Array;
}

const change: fc.Arbitrary<Change> = fc.record({
  operation: fc.constantFrom(
    'set' as const,
    'set' as const,
    'cut' as const,
    'take-out' as const,
    'insert' as const,
    'repeat' as const,
  ),
  at: fc.nat(),
  length: fc.integer({ min: 1, max: 64 }),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 9 }),
    fc.constantFrom(
      ...[[0], [0xff], [0xfe], [0xfb], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf8]].map((one) =>
        Uint8Array.from(one),
      ),
    ),
  ),
});

/** Copies of bytes with some of them changed, taken out, put in, cut off: invalid UTF-8 among them. */
export function byteMutants(bases: readonly Uint8Array[]): fc.Arbitrary<Buffer> {
  const changes = fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 9, arbitrary: fc.array(change, { minLength: 1, maxLength: 6 }) },
  );
  return fc
    .tuple(fc.nat(bases.length - 1), changes)
    .map(([base, all]) => all.reduce<Buffer>(changed, Buffer.from(bases[base] ?? [])));
}

function changed(bytes: Buffer, { operation, at, length, bytes: more }: Change): Buffer {
  const place = bytes.length === 0 ? 0 : at % bytes.length;
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  switch (operation) {
    case 'cut':
      return before;
    case 'set':
      return Buffer.concat([before, more, after.subarray(more.length)]);
    case 'take-out':
      return Buffer.concat([before, after.subarray(length)]);
    case 'insert':
      return Buffer.concat([before, more, after]);
    case 'repeat':
      return Buffer.concat([before, ...Array.from({ length }, () => after.subarray(0, 40)), after]);
  }
}

/** Bytes in pieces as a socket or pipe hands them on: lengths are taken in turn, and again from the first. */
export function inChunks(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = Math.max(1, lengths[turn % Math.max(1, lengths.length)] ?? bytes.length);
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}

export const chunkLengths = fc.array(
  fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 5000 })),
  {
    minLength: 1,
    maxLength: 8,
  },
);
