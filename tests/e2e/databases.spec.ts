import { dirname } from 'node:path';
import { t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';
import { composeFile, dropFile } from './support/databases.ts';

for (const what of ['file', 'folder'])
  test(`a Compose ${what} dropped onto the window is opened where it is`, async ({ openFake }) => {
    const { page } = await openFake({ pace: 0 });
    const file = composeFile();
    await dropFile(page, what === 'file' ? file : dirname(file));
    const read = page.getByRole('region', { name: t('database.read') });
    await expect(read).toContainText(file);
    await expect(read).toContainText('./data');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });
