interface SchemaNode {
  description?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  required?: string[];
  properties?: Record<string, SchemaNode>;
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
}

interface Field {
  name: string;
  node: SchemaNode;
  isRequired: boolean;
}

/** The place whose fields are those of `server`. */
const LIKE_ANOTHER = 'servers.*';

/** Required fields are bold. */
export function fieldRows(schema: SchemaNode): string[][] {
  const rows = new Map<string, string[]>();
  const described = new Map<string, string>();
  for (const { name, node, isRequired } of fieldsIn(schema, '')) {
    const label = isRequired ? `**\`${name}\`**` : `\`${name}\``;
    const [, meaning = '', limits = ''] = rows.get(name) ?? [];
    const { description = '' } = node;
    const first = described.get(description) ?? name;
    described.set(description, first);
    const isLong = description.split(' ').length > 6;
    const own = [isLong && first !== name ? `As \`${first}\`.` : description, limitsOf(node)];
    rows.set(name, [
      label,
      ...[meaning, limits].map((text, at) => [...new Set([text, own[at] ?? ''])].filter(Boolean).join(' ')),
    ]);
  }
  return [...rows.values()];
}

function fieldsIn(node: SchemaNode, place: string): Field[] {
  const { properties = {}, required = [], additionalProperties, items, anyOf = [], oneOf = [] } = node;
  const named = Object.entries(properties).flatMap(([key, field]) => {
    const name = place === '' ? key : `${place}.${key}`;
    return [{ name, node: field, isRequired: required.includes(key) }, ...fieldsIn(field, name)];
  });
  const ofAnyName = `${place}.*`;
  return [
    ...named,
    ...(typeof additionalProperties !== 'object' || ofAnyName === LIKE_ANOTHER
      ? []
      : fieldsIn(additionalProperties, ofAnyName)),
    ...(items === undefined ? [] : fieldsIn(items, `${place}[]`)),
    ...[...anyOf, ...oneOf].flatMap((one) => fieldsIn(one, place)),
  ];
}

function limitsOf(node: SchemaNode): string {
  const { default: usual } = node;
  const isPlain = usual !== undefined && (typeof usual !== 'object' || usual === null);
  const choices = choicesOf(node.items ?? node);
  return [...(isPlain ? [code(usual)] : []), ...choices].join('; ');
}

function choicesOf({
  const: only,
  enum: values,
  minimum,
  maximum,
  exclusiveMinimum,
  anyOf = [],
}: SchemaNode) {
  const above = exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`];
  const range = [
    ...above,
    ...(minimum !== undefined && maximum !== undefined ? [`${count(minimum)} to ${count(maximum)}`] : []),
    ...(minimum !== undefined && maximum === undefined ? [`${count(minimum)} or more`] : []),
    ...(minimum === undefined && maximum !== undefined ? [`at most ${count(maximum)}`] : []),
  ];
  const own: string[] = [
    ...(only === undefined ? [] : [code(only)]),
    ...(values ?? []).map(code),
    ...(range.length === 0 ? [] : [range.join(', ')]),
  ];
  const all: string[] = [...own, ...anyOf.flatMap(choicesOf)];
  return all.length === 0 ? [] : [all.join(', ')];
}

const code = (value: unknown): string => `\`${String(value)}\``;
const count = (value: number): string => value.toLocaleString('en');
