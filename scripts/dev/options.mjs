import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../build/node-entry.mjs';

/** @type {Record<string, string>} */
const STORIES = JSON.parse(readFileSync(join(root, 'tests/fake/stories.json'), 'utf8'));

/** Something else than what `npm run dev` takes was asked for; the message says what it takes. */
export class UsageError extends Error {}

/**
 * What comes after `npm run dev --`. Whatever is none of its options is one of the app.
 *
 * @param {string[]} args
 * @returns {{ story?: string, pace?: string, appArgs: string[] }}
 */
export function developmentOptions(args) {
  const { tokens } = parseArgs({
    args,
    options: { fake: { type: 'string' }, pace: { type: 'string' }, help: { type: 'boolean' } },
    strict: false,
    tokens: true,
  });
  /** @type {{ fake?: string | undefined, pace?: string | undefined }} */
  const given = {};
  /** @type {Set<number>} */
  const own = new Set();
  for (const token of tokens) {
    if (token.kind === 'option-terminator') own.add(token.index);
    if (token.kind !== 'option') continue;
    if (token.name === 'help') throw new UsageError(usage());
    if (token.name !== 'fake' && token.name !== 'pace') continue;
    given[token.name] = token.value ?? '';
    own.add(token.index);
    if (token.value !== undefined && !token.inlineValue) own.add(token.index + 1);
  }
  const appArgs = args.filter((_, index) => !own.has(index));
  const { fake: story, pace } = given;
  if (story !== undefined && !Object.hasOwn(STORIES, story)) throw new UsageError(stories(story));
  if (pace !== undefined && (story === undefined || !/^\d+$/.test(pace)))
    throw new UsageError('--pace takes the milliseconds between two events of a run, together with --fake.');
  return { ...(story === undefined ? {} : { story }), ...(pace === undefined ? {} : { pace }), appArgs };
}

function usage() {
  return `npm run dev [-- [--fake STORY [--pace MS]] [options of Electron and the app]]

Opens the app from its sources and follows their changes. It measures with the engine of this machine, or tells
one of these stories in its place:

${list()}`;
}

/** @param {string} story */
function stories(story) {
  return `${story === '' ? '--fake takes the name of a story:' : `There is no story “${story}”; these are there:`}\n\n${list()}`;
}

function list() {
  const width = Math.max(...Object.keys(STORIES).map(({ length }) => length));
  return Object.entries(STORIES)
    .map(([name, what]) => `  ${name.padEnd(width)}  ${what}`)
    .join('\n');
}
