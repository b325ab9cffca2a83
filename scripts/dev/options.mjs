import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { optionsOf } from '../setup/options.mjs';
import { repository } from '../setup/repository.mjs';

/** @type {Record<string, string>} */
const STORIES = JSON.parse(readFileSync(join(repository, 'tests/fake/stories.json'), 'utf8'));
const width = Math.max(...Object.keys(STORIES).map(({ length }) => length));

const USAGE = `npm run dev [-- [--fake STORY [--pace MS]] [-- options of Electron and the app]]

Opens the app from its sources and follows their changes. It measures with the engine of this machine, or tells
one of these stories in its place, with MS milliseconds between two events of a run:

${Object.entries(STORIES)
  .map(([name, what]) => `  ${name.padEnd(width)}  ${what}`)
  .join('\n')}`;

/**
 * Ends this program if an option is wrong.
 *
 * @returns {{ story?: string, pace?: string, appArgs: string[] }}
 */
export function developmentOptions() {
  const { values, positionals: appArgs } = optionsOf(
    USAGE,
    { fake: { type: 'string' }, pace: { type: 'string' } },
    true,
  );
  const { fake: story, pace } = values;
  const isStory = story === undefined ? pace === undefined : Object.hasOwn(STORIES, story);
  if (!isStory || !/^\d*$/.test(pace ?? '')) {
    console.error(`--fake takes one of the stories below, and --pace goes with it.\n\n${USAGE}`);
    process.exit(2);
  }
  return { ...(story === undefined ? {} : { story }), ...(pace === undefined ? {} : { pace }), appArgs };
}
