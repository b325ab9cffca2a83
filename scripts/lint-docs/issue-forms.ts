import { parse } from 'yaml';
import { problemsOf, type Problem, type Repository } from './problem.ts';

interface Field {
  type: string;
  id?: string;
  attributes?: { label?: string; options?: unknown[] };
}
interface Form {
  name?: string;
  description?: string;
  body?: Field[];
}
interface Dependabot {
  updates?: { 'package-ecosystem': string; ignore?: { 'dependency-name': string }[] }[];
}

const DEPENDABOT = '.github/dependabot.yml';
const TYPES = ['markdown', 'input', 'textarea', 'dropdown', 'checkboxes'];

/** Issue forms that GitHub would leave out without a word, and packages that Dependabot holds back though nothing uses them. */
export function formProblems({ files, read }: Repository): Problem[] {
  const forms = [...files].filter((file) => /^\.github\/ISSUE_TEMPLATE\/(?!config\.).*\.ya?ml$/.test(file));
  const { devDependencies = {} } = JSON.parse(read('package.json')) as { devDependencies?: object };
  const { updates = [] } = files.has(DEPENDABOT) ? (parse(read(DEPENDABOT)) as Dependabot) : {};
  const heldBack = updates
    .filter((one) => one['package-ecosystem'] === 'npm')
    .flatMap(({ ignore = [] }) => ignore.map((one) => one['dependency-name']));
  return [
    ...forms.flatMap((file) => problemsOf(file, inForm(parse(read(file)) as Form))),
    ...problemsOf(
      DEPENDABOT,
      heldBack
        .filter((name) => !Object.hasOwn(devDependencies, name))
        .map((name) => `${name} is no package of package.json`),
    ),
  ];
}

function inForm({ name = '', description = '', body = [] }: Form): string[] {
  const fields = body.filter(({ type }) => type !== 'markdown');
  const twice = (texts: (string | undefined)[]): string[] =>
    texts.flatMap((text, index) => (text !== undefined && texts.indexOf(text) < index ? [text] : []));
  return [
    ...(name === '' || description === '' ? ['a form needs a name and a description'] : []),
    ...(fields.length === 0 ? ['a form needs a field'] : []),
    ...body.filter(({ type }) => !TYPES.includes(type)).map(({ type }) => `there is no type ${type}`),
    ...fields
      .filter(({ id = '', attributes }) => !/^[\w-]+$/.test(id) || (attributes?.label ?? '') === '')
      .map(({ id = '', type }) => `the ${type} “${id}” needs an id and a label`),
    ...twice(fields.map(({ id }) => id)).map((id) => `two fields have the id ${id}`),
    ...twice(fields.map(({ attributes }) => attributes?.label)).map(
      (label) => `two fields have the label “${label}”`,
    ),
    // GitHub refuses a “yes” that YAML has read as true.
    ...fields
      .filter(({ type }) => type === 'dropdown')
      .flatMap(({ attributes }) => attributes?.options ?? [])
      .filter((option) => typeof option !== 'string')
      .map((option) => `the option ${String(option)} is no text`),
  ];
}
