import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { newFolder } from '../helpers/folders.ts';
import { t, pattern } from '../helpers/words.ts';
import { becomeState } from './support/docker-states.ts';
import { openApp, type AppOptions } from './support/open-app.ts';

const ENGINE = { name: 'Docker Engine' };
/** Opens the app on a machine in a state of Docker. */
async function openIn(state: string, options: AppOptions = {}) {
  const reportFile = join(newFolder(), 'report.json');
  await becomeState(reportFile, state);
  return { ...(await openApp({ reportFile, ...options })), reportFile };
}

/** Moves the clock until a check holds, a minute at most. */
async function soon(check: () => unknown): Promise<void> {
  for (let left = 120; ; left--) {
    try {
      check();
      return;
    } catch (error) {
      if (left === 0) throw error;
    }
    await vi.advanceTimersByTimeAsync(500);
    await new Promise(setImmediate);
  }
}

it('it looks again by itself, says what changes, and stops when an engine is found', async () => {
  const { screen, reportFile } = await openIn('stopped-linux-systemd', { fakeTimers: true });
  await vi.waitFor(() => screen.getByText(pattern('guide.checking')), { timeout: 20_000 });

  const starting = t('guide.starting.title', ENGINE);
  await becomeState(reportFile, 'starting-linux');
  await soon(() => screen.getByRole('heading', { name: starting }));
  expect(screen.getByText(pattern('guide.changed', { title: starting }))).toBeInTheDocument();

  rmSync(reportFile);
  await soon(() => screen.getByText(pattern('guide.found', { name: 'Docker Engine 28.1.1' })));
  const compare = (): HTMLElement => screen.getByRole('button', { name: t('home.options') });
  await soon(() => expect(compare()).toBeEnabled());
  screen.getByRole('region', { name: t('passport.title') });

  // The guide has stopped asking, so a new trouble stays unseen.
  await becomeState(reportFile, 'stopped-linux-systemd');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(compare()).toBeEnabled();
});

it('a command is copied, by keyboard, too', async () => {
  const { button, user, screen, desktop } = await openIn('forbidden-linux');
  const command = 'sudo usermod -aG docker ada';
  (await button(`${t('menu.copy')}: ${command}`)).focus();
  await user.keyboard('{Enter}');
  await screen.findByText(t('common.copied'));
  expect(desktop.copied).toBe(command);
});

it('without Docker there is an example to look around in, named as what it is', async () => {
  const { region, user, screen } = await openIn('not-installed-darwin');
  const guide = await region(t('guide.notInstalled.title'));
  await user.click(guide.getByRole('button', { name: t('example.open') }));
  const banner = await region(t('example.title'), 'complementary');
  expect(banner.element).toHaveTextContent(pattern('example.banner'));
  await region(t('result.numbers'));
  expect(screen.queryByRole('button', { name: t('result.again') })).toBeNull();
});
