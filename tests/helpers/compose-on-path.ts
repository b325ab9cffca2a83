import { existsSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';

/** The Compose of set-up. A test that asks for it without one fails. */
export function testCompose(): string {
  const file = process.env['WHALEMARK_TEST_COMPOSE'] ?? '';
  if (!existsSync(file))
    throw new Error('These tests need Compose (npm run setup), as WHALEMARK_TEST_COMPOSE.');
  return file;
}

/** Whalemark, and what tests start, find set-up's Compose where they would find a user's. */
export function putComposeOnPath(): void {
  process.env['PATH'] = [dirname(testCompose()), process.env['PATH']].join(delimiter);
}
