import { expect, test } from './support/app.ts';
import { axeViolations as violations } from './support/axe.ts';
import { sysbenchText } from './support/sysbench-text.ts';

/** Slow enough for the live screen to stand still while it is looked at. */
const SLOW = { WHALEMARK_FAKE: 'troubled', WHALEMARK_FAKE_PACE: '40' };

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no accessibility violations on any screen, ${colorScheme}`, async ({ launch, fakeApp }) => {
    const { page } = await launch({ folder: fakeApp, env: SLOW });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Compare my setup', exact: true }).click();
    await expect(page.getByText('can’t run here').first()).toBeVisible();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await expect(page.getByText(/^[1-9]\d* of 45 trials/)).toBeVisible();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByRole('region', { name: 'Numbers', exact: true })).toBeVisible();
    await page.getByText('Every comparison in words').click();
    await page.getByText('Show the numbers').first().click();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'How this number is made: Interval' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Interval', exact: true })).toBeFocused();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no accessibility violations in the result of a ramp, ${colorScheme}`, async ({ launch, fakeApp }) => {
    const { page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE_PACE: '0' } });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.getByRole('button', { name: 'Open Thread ramp' }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    const ramp = page.getByRole('region', { name: 'Throughput and latency by connections' });
    await ramp.getByText('Show the numbers').click();
    expect(await violations(page)).toEqual([]);
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no accessibility violations in presets and imports, ${colorScheme}`, async ({ launch, fakeApp }) => {
    const { page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE_PACE: '0' } });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.getByRole('button', { name: 'More for Compare my setup' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('textbox', { name: 'Text of the preset' }).fill('whalemark: 1\nid: [');
    await expect(page.getByRole('button', { name: /^Go to line/ }).first()).toBeVisible();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Whalemark' }).click();
    await page.getByRole('button', { name: /^More for .*compare-my-setup-copy/ }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Open Overlay network' }).click();
    await expect(page.getByRole('checkbox', { name: /swarm/ })).toBeVisible();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Whalemark' }).click();
    await page.getByRole('button', { name: /^Open Storage options × network/ }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await expect(page.getByText('Hollow bars: published by')).toBeVisible();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Whalemark' }).click();
    await page.getByRole('button', { name: 'Import sysbench output…' }).click();
    const text = page.getByRole('textbox', { name: 'Output of sysbench' });
    await text.fill('nothing that sysbench prints');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await text.fill(sysbenchText());
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Runs' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
}

test('everything can be done with the keyboard, and a new screen takes the focus to its title', async ({
  launch,
  fakeApp,
}) => {
  const { page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE_PACE: '1' } });
  await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
  const press = async (name: string): Promise<void> => {
    const target = page.getByRole('button', { name, exact: true });
    for (let tabs = 0; tabs < 60; tabs++) {
      await page.keyboard.press('Tab');
      if (await target.evaluate((element) => element.matches(':focus-visible'))) {
        await page.keyboard.press('Enter');
        return;
      }
    }
    throw new Error(`“${name}” can't be reached with the Tab key`);
  };
  const title = page.getByRole('heading', { level: 1 });

  await press('Compare my setup');
  await expect(title).toHaveText('Compare my setup');
  await expect(title).toBeFocused();
  // The plan comes after its screen.
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeEnabled();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await press('Start');
  await expect(page.getByRole('region', { name: 'Numbers', exact: true })).toBeVisible();
  await expect(title).toBeFocused();

  const line = page.getByRole('list', { name: 'Scenarios shown' }).getByRole('button').first();
  await line.focus();
  await page.keyboard.press('Space');
  await expect(line).toHaveAttribute('aria-pressed', 'false');
});

test('at twice the size in a small window nothing is cut off sideways', async ({ launch, fakeApp }) => {
  const { page } = await launch({
    folder: fakeApp,
    env: { WHALEMARK_FAKE: 'troubled', WHALEMARK_FAKE_PACE: '1' },
  });
  // 1024×640 at 200 % is what a page of 512×320 sees.
  await page.setViewportSize({ width: 512, height: 320 });
  const overflow = (): Promise<number> =>
    page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth);
  await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
  expect(await overflow()).toBe(0);
  await page.getByRole('button', { name: 'Compare my setup', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeEnabled();
  expect(await overflow()).toBe(0);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Numbers', exact: true })).toBeVisible();
  expect(await overflow()).toBe(0);
});
