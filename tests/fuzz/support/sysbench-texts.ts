import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = 'tests/fixtures/sysbench';

/** Output of sysbench, of every version. */
export const sysbenchTexts: string[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => readFileSync(`${FOLDER}/${name}`, 'utf8'))
  .filter((text) => text.length < 40_000 && /transactions:|tps/.test(text));

const DRIVER = 'tests/fixtures/sysbench-driver';

/** Output of sysbench with Whalemark's script. */
export const loadGeneratorTexts: string[] = readdirSync(DRIVER)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => readFileSync(`${DRIVER}/${name}`, 'utf8'));
