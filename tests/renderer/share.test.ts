import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseResult } from '../../src/benchmark/store/result-file.ts';
import { parseCsv } from '../unit/benchmark/report/csv-rows.ts';
import type { PrivateKind } from '../../src/shared/model/sharing.ts';
import { asSentence } from '../../src/shared/words/effect-wording.ts';
import { createTranslator, ENGLISH } from '../../src/shared/words/i18n.ts';
import { newFolder } from '../helpers/folders.ts';
import { pattern, t } from '../helpers/words.ts';
import { says, type Within } from './support/finders.ts';
import { openResult, type OpenApp } from './support/open-app.ts';

const kindName = (kind: PrivateKind): RegExp =>
  new RegExp(`^${asSentence(ENGLISH(`report:share.kind.${kind}`), ENGLISH)}`);
/** The width of a PNG picture. */
const widthOf = (file: Buffer): number => file.readUInt32BE(16);
const PRIVATE = /anna|10\.4\.5\.6|geheim/;

/** Opens the dialog over a result with private details. */
async function openShare(): Promise<OpenApp & { dialog: Within; preview: Within }> {
  const app = await openResult({ story: 'private' });
  await app.press(t('share.button'));
  const dialog = await app.region(t('share.title'), 'dialog');
  return { ...app, dialog, preview: await app.region(t('share.preview')) };
}

it('every format is previewed, saved and holds the result', async () => {
  const { dialog, preview, choose, press, desktop } = await openShare();
  const folder = newFolder();
  desktop.saveTo = folder;
  const savedAs = async (
    format: 'png' | 'html' | 'md' | 'csv' | 'csv-per-second' | 'json',
  ): Promise<Buffer> => {
    await choose('radio', new RegExp(`^${t(`share.formats.${format}`)}`));
    await press(t('share.save'));
    const said = await dialog.findByText(pattern('presets.saved'));
    const file = new RegExp(`^${t('presets.saved', { name: '(.+)' })}$`).exec(said.textContent.trim())?.[1];
    return readFileSync(join(folder, file ?? ''));
  };

  await preview.findByRole('img', { name: t('share.picture') });
  expect(widthOf(await savedAs('png'))).toBe(2400);

  const html = (await savedAs('html')).toString('utf8');
  await says(preview.element, createTranslator('en')('report:advice.scenarios'));
  expect(html).toMatch(/^<!doctype html>/i);

  const markdown = (await savedAs('md')).toString('utf8');
  await says(preview.element, '| Scenario | TPS |');
  expect(preview.element.querySelector('pre')?.textContent).toBe(markdown);

  expect(parseCsv((await savedAs('csv')).toString('utf8'))).toHaveLength(1 + 9);
  expect(parseCsv((await savedAs('csv-per-second')).toString('utf8')).length).toBeGreaterThan(1 + 100);
  await says(preview.element, t('share.beginning'));
  const json = (await savedAs('json')).toString('utf8');
  await says(preview.element, 'whalemark-result');
  expect(parseResult(json, 'x').trials).toHaveLength(50);
  for (const text of [html, json, markdown]) expect(text).not.toMatch(PRIVATE);
});

it('private details go out only when they are ticked, and passwords never', async () => {
  const { dialog, preview, choose, press, region } = await openShare();
  await choose('radio', new RegExp(`^${t('share.formats.md')}`));
  await says(preview.element, 'The engine of');
  expect(preview.element).not.toHaveTextContent(PRIVATE);
  const paths = await dialog.findByRole('checkbox', { name: kindName('path') });
  expect(paths).toHaveAccessibleDescription(pattern('share.leftOut'));
  expect(dialog.getByText(t('share.secrets', { count: 1 }))).toBeInTheDocument();

  await choose('checkbox', kindName('path'));
  await says(preview.element, '/home/anna/docker');
  expect(dialog.getByRole('checkbox', { name: kindName('path') })).toHaveAccessibleDescription(
    t('share.included'),
  );
  for (const kind of ['endpoint', 'address', 'context'] as const) await choose('checkbox', kindName(kind));
  await says(preview.element, 'annas-laptop');
  await says(preview.element, 'anna:\\<password\\>');
  expect(preview.element).toHaveTextContent('10.4.5.6');
  expect(preview.element).not.toHaveTextContent('geheim');

  // The next time nothing is ticked any more.
  await press(t('common.close'));
  await press(t('share.button'));
  const again = await region(t('share.title'), 'dialog');
  expect(await again.findByRole('checkbox', { name: kindName('path') })).not.toBeChecked();
  await says(again.element, 'The engine of');
  expect(again.element).not.toHaveTextContent('/home/anna');
});

it('picture and Markdown are copied, in the language that was chosen', async () => {
  const { dialog, press, user, desktop } = await openShare();
  await press(t('share.copyPicture'));
  await dialog.findByText(t('share.copied.png'));
  expect(widthOf(Buffer.from(desktop.picture ?? []))).toBe(2400);

  await user.selectOptions(dialog.getByRole('combobox', { name: t('settings.language') }), 'zh-CN');
  await press(t('share.copyMarkdown'));
  await dialog.findByText(t('share.copied.md'));
  expect(desktop.copied).toContain('| --: |');
  expect(desktop.copied).toContain('已移除');
});
