import { baseOf, folderOf } from './file-names.ts';
import { mergedTree, normalService } from './merge.ts';
import { entriesOf, entryOf, isTrue, itemsOf, type At, type Mapping, type Tree } from './tree.ts';

/** Their own files say less than the Compose files that are made of them. */
export const STACKS = {
  ddev: {
    name: 'DDEV',
    example: 'database: { type: mariadb, version: "11.8" }',
    file: /[\\/]\.ddev[\\/]config(?:\.[^\\/]+)?\.ya?ml$/,
  },
  lando: { name: 'Lando', example: 'mysql:8.0', file: /[\\/]\.lando(?:\.[^\\/]+)?\.yml$/ },
} as const;
export type Stack = keyof typeof STACKS;

export function stackOf(file: string): Stack | undefined {
  return STACKS.ddev.file.test(file) ? 'ddev' : STACKS.lando.file.test(file) ? 'lando' : undefined;
}

/** Before Compose files: what those of a stack mean together. */
export function composeTrees(trees: readonly Mapping[]): Mapping[] {
  const own = trees.filter(({ at }) => stackOf(at.source.file) !== undefined);
  const [first] = own;
  if (first === undefined) return [...trees];
  const merged = own.reduce<Tree | undefined>((base, tree) => mergedTree(base, tree, ''), undefined);
  const tree = merged?.kind === 'map' ? merged : first;
  const meant = stackOf(first.at.source.file) === 'ddev' ? ofDdev(tree) : ofLando(tree);
  return [meant, ...trees.filter((one) => !own.includes(one))];
}

/** Source: ddev/ddev, pkg/ddevapp/app_compose_template.yaml. */
function ofDdev(tree: Mapping): Mapping {
  const { at } = tree;
  const name = textAt(tree, 'name') ?? baseOf(folderOf(folderOf(at.source.file)));
  const old = ['mariadb', 'mysql'].find((one) => textAt(tree, `${one}_version`) !== undefined);
  const type = textAt(tree, 'database', 'type') ?? old ?? 'mariadb';
  const version = textAt(tree, 'database', 'version') ?? textAt(tree, `${type}_version`);
  const image = ['mariadb', 'mysql'].includes(type) ? `ddev/ddev-dbserver-${type}` : type;
  const isOmitted = itemsOf(entryOf(tree, 'omit_containers')).some((one) => textAt(one) === 'db');
  const place = (entryOf(tree, 'database') ?? entryOf(tree, `${type}_version`) ?? tree).at;
  const database = made(place, {
    image: version === undefined ? image : `${image}-${version}`,
    volumes: ['database:/var/lib/mysql', '.:/mnt/ddev_config'],
    ports: [`127.0.0.1:${textAt(tree, 'host_db_port') ?? ''}:3306`],
  });
  return made(at, {
    name: `ddev-${name}`,
    services: {
      ...(isOmitted ? {} : { db: database }),
      web: { image: 'ddev-webserver', ...(isOmitted ? {} : { depends_on: { db: {} } }) },
    },
    volumes: { database: { name: `${name}-mariadb` } },
  });
}

/** Their database is of this family unless they say another. */
const RECIPES = /^(?:acquia|backdrop|drupal|joomla|lamp|laravel|lemp|pantheon|symfony|wordpress)/;
const CLIENTS = /^(?:dotnet|go|node|php|python|ruby|tomcat)/;

/** Sources: lando/mysql and lando/mariadb; Lando's documentation, "Recipes" and "Services". */
function ofLando(tree: Mapping): Mapping {
  const { at } = tree;
  const recipe = textAt(tree, 'recipe') ?? '';
  const usual = RECIPES.test(recipe) ? (recipe === 'pantheon' ? 'mariadb' : 'mysql') : undefined;
  const chosen = entryOf(tree, 'config', 'database');
  const services = new Map(entriesOf(entryOf(tree, 'services')));
  const place = (chosen ?? entryOf(tree, 'recipe') ?? tree).at;
  if (usual !== undefined || chosen !== undefined) {
    services.set('database', services.get('database') ?? made(place, {}));
    services.set('appserver', services.get('appserver') ?? made(place, { type: 'php' }));
  }
  const all = [...services].map(([id, service]) => {
    const ofRecipe = id === 'database' ? (textAt(chosen) ?? usual) : undefined;
    const [type = '', version] = (textAt(service, 'type') ?? ofRecipe ?? '').split(':');
    const isDatabase = type === 'mysql' || type === 'mariadb';
    return { id, service, type, version, isDatabase };
  });
  const databases = all.filter(({ isDatabase }) => isDatabase).map(({ id }) => id);
  const meant = all.flatMap(({ id, service, type, version, isDatabase }): [string, Tree][] => {
    const own = entryOf(service, 'services');
    if (type === 'compose' && own?.kind === 'map') return [[id, own]];
    if (CLIENTS.test(type)) {
      const used = Object.fromEntries(databases.map((one) => [one, {}]));
      return [[id, made(service.at, { image: type, depends_on: used })]];
    }
    if (!isDatabase) return [[id, made(service.at, { image: type === '' ? 'lando' : type })]];
    const config =
      textAt(service, 'config', 'database') ??
      (id === 'database' ? textAt(tree, 'config', 'config', 'database') : undefined);
    const port = textAt(service, 'portforward');
    const base = made((entryOf(service, 'type') ?? (id === 'database' ? { at: place } : service)).at, {
      image: `bitnamilegacy/${type}${version === undefined ? '' : `:${version}`}`,
      volumes: [
        `data_${id}:/bitnami/${type}${type === 'mysql' ? '/data' : ''}`,
        ...(config === undefined
          ? []
          : [{ type: 'bind', source: config, target: `/opt/bitnami/${type}/conf/my_custom.cnf` }]),
      ],
      ports: port === undefined || port === 'false' ? [] : [isTrue(port) ? '3306' : `${port}:3306`],
    });
    const overrides = entryOf(service, 'overrides');
    const merged = overrides?.kind === 'map' ? mergedTree(base, normalService(overrides), '') : base;
    return [[id, merged ?? base]];
  });
  const name = textAt(tree, 'name') ?? baseOf(folderOf(at.source.file));
  return made(at, {
    name: name.toLowerCase().replace(/[^a-z0-9]/g, ''),
    services: Object.fromEntries(meant),
    volumes: Object.fromEntries(databases.map((id) => [`data_${id}`, {}])),
  });
}

function textAt(tree: Tree | undefined, ...path: string[]): string | undefined {
  const found = entryOf(tree, ...path);
  return found?.kind === 'scalar' ? (found.text ?? undefined) : undefined;
}

interface Value {
  [key: string]: Value | Tree | readonly (string | Value)[] | string;
}

/** At the place that it follows from. */
function made(at: At, value: Value): Mapping {
  const own = { at, tag: null, size: 1, node: null };
  const treeOf = (one: Value[string] | Value): Tree => {
    if (typeof one === 'string') return { ...own, kind: 'scalar', text: one };
    if (Array.isArray(one)) return { ...own, kind: 'list', items: one.map(treeOf) };
    return isTree(one) ? one : made(at, one as Value);
  };
  const entries = new Map(Object.entries(value).map(([key, one]) => [key, treeOf(one)]));
  return { ...own, kind: 'map', entries, merged: [] };
}

function isTree(value: Value[string] | Value): value is Tree {
  return typeof value === 'object' && 'at' in value && 'size' in value;
}
