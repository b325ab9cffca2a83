import { isCollection, isMap, type Document } from 'yaml';
import { readYaml } from '../../shared/preset/preset-yaml.ts';

/** A field of a preset's YAML and the value that it gets; undefined takes the field away. */
export interface Edit {
  path: readonly (string | number)[];
  value: unknown;
}

/**
 * The YAML text with some fields changed: remarks, order, and every field that is not named stay. A text that is no
 * YAML, or can't be changed so, comes back as it is.
 */
export function editedText(text: string, edits: readonly Edit[]): string {
  const { document, problems } = readYaml(text);
  if (problems.length > 0 || (document.contents !== null && !isMapping(document.contents))) return text;
  for (const { path, value } of edits) {
    if (value === undefined) remove(document, path);
    else put(document, path, value);
  }
  try {
    return document.toString({ lineWidth: 0 });
  } catch {
    // What is left refers to what was changed: an alias whose anchor is gone. Only the YAML itself can tell what is
    // meant.
    return text;
  }
}

function put(document: Document, path: Edit['path'], value: unknown): void {
  // A field that is there but empty, `server:` for example, or a list has nothing that could be set in.
  for (let depth = 1; depth < path.length; depth++) {
    const place = path.slice(0, depth);
    if (document.hasIn(place) && !holds(document.getIn(place, true), path[depth])) {
      document.setIn(place, document.createNode({}));
    }
  }
  // As the built-in presets are written: short things on one line.
  const isCompound = typeof value === 'object' && value !== null;
  document.setIn(path, isCompound ? document.createNode(value, { flow: true }) : value);
}

/** Whether a node can have such a key. */
function holds(node: unknown, key: string | number | undefined): boolean {
  return typeof key === 'number' ? isCollection(node) : isMapping(node);
}

/** A set passes for a mapping, and nothing can be set in it. */
const isMapping = (node: unknown): boolean => isMap(node) && node.tag !== 'tag:yaml.org,2002:set';

/** Takes a field away, and what holds nothing after that. */
function remove(document: Document, path: Edit['path']): void {
  if (!document.hasIn(path)) return;
  document.deleteIn(path);
  const holder = path.slice(0, -1);
  if (holder.length === 0) return;
  const node: unknown = document.getIn(holder, true);
  if (isCollection(node) && node.items.length === 0) remove(document, holder);
}
