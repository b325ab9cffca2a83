import fc from 'fast-check';
import { oddValue, TELLING_NAMES } from './odd.ts';

type Box = Record<string, unknown> | unknown[];

/** Changes of one place in a value. */
const OPERATIONS = [
  'replace',
  'replace',
  'replace',
  'delete',
  'rename',
  'add',
  'nest',
  'copy',
  'grow',
  'tweak',
  'tweak',
] as const;

interface Change {
  operation: (typeof OPERATIONS)[number];
  /** The way from the root: which child at each step. */
  way: number[];
  /** The way to another place, for what needs one. */
  other: number[];
  odd: unknown;
  name: string;
}

const way = fc.array(fc.nat(10_000), { minLength: 1, maxLength: 9 });
const change: fc.Arbitrary<Change> = fc.record({
  operation: fc.constantFrom(...OPERATIONS),
  way,
  other: way,
  odd: oddValue,
  name: fc.constantFrom(...TELLING_NAMES, 'id', 'kind', 'x', '', '0'),
});

/** Copies of valid values, each changed in no, one or a few places; the values are never changed themselves. */
export function valueMutants(bases: readonly unknown[]): fc.Arbitrary<unknown> {
  const changes = fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 6, arbitrary: fc.array(change, { minLength: 1, maxLength: 1 }) },
    { weight: 3, arbitrary: fc.array(change, { minLength: 2, maxLength: 5 }) },
  );
  return fc.tuple(fc.nat(bases.length - 1), changes).map(([base, all]) => {
    const root = { value: structuredClone(bases[base]) };
    // Generators hand out the same odd value again and again.
    for (const one of all) apply(root, { ...one, odd: structuredClone(one.odd) });
    return root.value;
  });
}

function apply(root: { value: unknown }, { operation, way: steps, other, odd, name }: Change): void {
  const { box, key } = placeOf(root, steps);
  const old = read(box, key);
  switch (operation) {
    case 'replace':
      return write(box, key, odd);
    case 'delete':
      if (Array.isArray(box)) box.splice(Number(key), 1);
      else Reflect.deleteProperty(box, key);
      return;
    case 'rename':
      if (Array.isArray(box)) return;
      Reflect.deleteProperty(box, key);
      return write(box, name, old);
    case 'add':
      if (isBox(old)) write(old, Array.isArray(old) ? String(old.length) : name, odd);
      return;
    case 'nest':
      return write(box, key, Array.isArray(box) ? { [name === '__proto__' ? 'x' : name]: old } : [old]);
    case 'copy': {
      const from = placeOf(root, other);
      return write(box, key, structuredClone(read(from.box, from.key)));
    }
    case 'grow': {
      if (!Array.isArray(old)) return;
      const times = 1 + ((steps[0] ?? 0) % 30);
      return write(box, key, Array.from({ length: times }, () => structuredClone(old)).flat());
    }
    case 'tweak':
      return write(box, key, tweaked(old, steps[0] ?? 0));
  }
}

/** Something of the same type that may still be right. */
function tweaked(old: unknown, draw: number): unknown {
  if (typeof old === 'number') return [old + 1, -old, old * 1000, old / 3, Math.round(old), 0][draw % 6];
  if (typeof old === 'boolean') return !old;
  if (typeof old !== 'string') return old === null ? 1 : null;
  const at = old.length === 0 ? 0 : draw % old.length;
  return [old.slice(0, at), `${old.slice(0, at)}A${old.slice(at + 1)}`, old + old, old.toUpperCase()][
    draw % 4
  ];
}

function placeOf(root: { value: unknown }, steps: readonly number[]): { box: Box; key: string } {
  let box: Box = root;
  let key = 'value';
  for (const step of steps) {
    const next = read(box, key);
    if (!isBox(next)) break;
    const keys = Object.keys(next);
    if (keys.length === 0) break;
    box = next;
    key = keys[step % keys.length] ?? '';
  }
  return { box, key };
}

function isBox(value: unknown): value is Box {
  return typeof value === 'object' && value !== null;
}

function read(box: Box, key: string): unknown {
  return Object.hasOwn(box, key) ? (box as Record<string, unknown>)[key] : undefined;
}

/** `__proto__` becomes a key like any other, as `JSON.parse` makes it. */
function write(box: Box, key: string, value: unknown): void {
  Object.defineProperty(box, key, { value, writable: true, enumerable: true, configurable: true });
}
