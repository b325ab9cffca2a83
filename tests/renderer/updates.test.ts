import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { waitFor } from '@testing-library/dom';
import { pattern, t } from '../helpers/words.ts';
import { openApp } from './support/open-app.ts';

it('a newer version is told once, its page opens, and it can be dismissed', async () => {
  const latestRelease = vi.fn(() => Promise.resolve('99.0.0'));
  const { screen, press, desktop, close, home } = await openApp({ latestRelease });
  const out = t('home.updateOut', { version: '99.0.0' });
  await screen.findByText(out);
  await press(t('home.updateSee'));
  expect(desktop.openedAddresses).toHaveLength(1);
  await press(t('home.updateDismiss'));
  await waitFor(() => expect(screen.queryByText(out)).toBeNull());
  await close();

  const second = await openApp({ latestRelease, home });
  await second.press(t('app.settings'));
  const card = await second.region(t('settings.updates'));
  const status = await card.findByRole('status');
  await waitFor(() =>
    expect(status).toHaveTextContent(pattern('settings.updateNewer', { version: '99.0.0' })),
  );
  await second.press(t('app.home'));
  await second.button(t('home.compare'));
  expect(screen.queryByText(out)).toBeNull();
  // Once a day, and that was today.
  expect(latestRelease).toHaveBeenCalledOnce();
});

it('none is looked for when that is turned off, until the user does', async () => {
  const latestRelease = vi.fn(() => Promise.resolve('0.0.1'));
  const { press, region, user, home } = await openApp({ latestRelease, settings: { lookForUpdates: false } });
  await press(t('app.settings'));
  const card = await region(t('settings.updates'));
  expect(card.getByRole('checkbox', { name: t('settings.lookForUpdates') })).not.toBeChecked();
  expect(card.getByRole('status')).toHaveTextContent(t('settings.updateNotAsked'));
  expect(latestRelease).not.toHaveBeenCalled();
  await press(t('settings.updateAsk'));
  await waitFor(() => expect(card.getByRole('status')).toHaveTextContent(pattern('settings.updateNewest')));
  expect(latestRelease).toHaveBeenCalledOnce();
  await user.click(card.getByRole('checkbox'));
  await waitFor(() =>
    expect(JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8'))).toMatchObject({
      lookForUpdates: true,
    }),
  );
});

it('what is built from the source knows of no releases', async () => {
  const { press, region } = await openApp();
  await press(t('app.settings'));
  const card = await region(t('settings.updates'));
  await waitFor(() => expect(card.getByRole('status')).toHaveTextContent(t('settings.updateNoPlace')));
  expect(card.queryByRole('checkbox')).toBeNull();
});
