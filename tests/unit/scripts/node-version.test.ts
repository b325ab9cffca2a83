import { readFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { canBuild } from '../../../scripts/setup/node-version.mjs';

const packageSchema = z.object({ engines: z.object({ node: z.string() }) });
const rangeOf = (file: string): string =>
  packageSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).engines.node;

describe('the Node that Whalemark is built with', () => {
  it('is the one that Vite asks for', () => {
    expect(rangeOf('package.json')).toBe(rangeOf('node_modules/vite/package.json'));
    expect(rangeOf('package.json')).toBe('^20.19.0 || >=22.12.0');
  });

  it.each([
    ['18.20.8', false],
    ['20.18.3', false],
    ['20.19.0', true],
    ['20.20.2', true],
    ['21.7.3', false],
    ['22.11.0', false],
    ['22.12.0', true],
    ['24.0.0', true],
    [process.versions.node, true],
  ])('%s: %s', (version, expected) => expect(canBuild(version)).toBe(expected));
});
