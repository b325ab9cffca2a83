import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { Plans } from '../../../../src/benchmark/handlers/plans.ts';
import { Setups } from '../../../../src/benchmark/handlers/setups.ts';
import { Whalemark } from '../../../../src/benchmark/service.ts';
import { findSetups } from '../../../../src/benchmark/setup/container-setups.ts';
import { openSetup } from '../../../../src/benchmark/setup/open-setup.ts';
import { patchesOf } from '../../../../src/benchmark/setup/setup-patches.ts';
import { viewOf } from '../../../../src/shared/run/run-view.ts';
import { demoState } from '../../builders.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { plain } from '../../../helpers/messages.ts';
import { makeSetup } from '../../setup-builder.ts';

vi.mock('../../../../src/benchmark/setup/container-setups.ts');
vi.mock('../../../../src/benchmark/setup/open-setup.ts');
vi.mock('../../../../src/benchmark/setup/setup-patches.ts');

const setup = makeSetup();
const KEY = '/srv/shop/compose.yaml';
const reference = { source: setup.source, service: 'db' };
const bindRoot = join(tmpdir(), 'whalemark-gone-since');
/** As one that only the plan of a setup asks for. */
const consents = [{ consent: 'swarm' as const, message: plain('It makes a folder next to yours.') }];

function handlers({ isFromFile = false } = {}) {
  const runtime = new FakeRuntime();
  runtime.addImage('mysql:8.4', { env: { MYSQL_VERSION: '8.4.5' } });
  const view = () => Promise.resolve(viewOf(demoState({ userSetup: reference, bindRoot, consents })));
  const fromFile = () => Promise.resolve(isFromFile);
  const setups = new Setups({ runtime: () => Promise.resolve(runtime), view, isFromFile: fromFile });
  const paths = {
    dataDir: '/nonexistent',
    datasetDir: null,
    assetsDir: 'assets',
    presetsDir: 'presets',
    clientFile: '/c',
    appVersion: '0',
  };
  const plans = new Plans(new Whalemark(paths), {
    runtimes: { inUse: () => Promise.resolve(runtime) },
    setups,
    isFromFile: fromFile,
    view,
    continuable: () => Promise.resolve(demoState()),
  });
  return { setups, plans };
}

beforeEach(() => {
  vi.mocked(findSetups).mockReset().mockResolvedValue([setup]);
  vi.mocked(openSetup).mockReset().mockResolvedValue(setup);
  vi.mocked(patchesOf).mockReset().mockResolvedValue({ patches: [], without: [] });
});

it('only what was found or opened in this session can be planned', async () => {
  const { plans, setups } = handlers();
  const asked = { presetId: 'my-setup', mode: 'full' as const, setup: { key: KEY, service: 'db' } };
  await expect(plans.handlers['plan:make'](asked)).rejects.toMatchObject({ code: 'USAGE' });
  expect(openSetup).not.toHaveBeenCalled();
  await setups.handlers['setups:find']({});
  expect((await plans.handlers['plan:make'](asked)).setup).toEqual(reference);
});

it('a Compose file is opened by the path that main got, with this machine’s environment', async () => {
  const { setups } = handlers();
  expect(await setups.handlers['core:open-setup']({ path: KEY })).toEqual(setup);
  expect(openSetup).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ target: KEY, environment: process.env }),
  );
  expect(setups.get(KEY)).toEqual(setup);
});

it('a run of this machine has its patches, and a run that is repeated is still of its setup', async () => {
  const { setups, plans } = handlers();
  expect(await setups.handlers['setups:patches']({ runId: 'r' })).toEqual({ patches: [], without: [] });
  const again = await plans.handlers['plan:repeat']({ runId: 'r' });
  expect(again.setup).toEqual(reference);
  // Next to the user's folder, after the same confirmation.
  expect(again).toMatchObject({ bindRoot, consents });
});

it('the files that a result from a file names are never read', async () => {
  const { setups, plans } = handlers({ isFromFile: true });
  await expect(setups.handlers['setups:patches']({ runId: 'r' })).rejects.toMatchObject({
    code: 'SETUP_ELSEWHERE',
  });
  expect(patchesOf).not.toHaveBeenCalled();
  expect((await plans.handlers['plan:repeat']({ runId: 'r' })).setup).toBeNull();
});
