import { expect, it } from 'vitest';
import { seenPassport } from '../../../../src/shared/analysis/seen-passport.ts';
import type { FileSharing } from '../../../../src/shared/model/passport.ts';
import { makeState, onEngine } from '../../builders.ts';
import { BIND, TWO } from './analysis-helpers.ts';

function seen(type: string | null, fileSharing: FileSharing, vm = true) {
  const state = makeState({ scenarios: TWO });
  const [{ passport }] = state.plan.engines;
  const runtime = { ...passport.runtime, vm, fileSharing };
  const { serverId } = state.plan.scenarios.find(({ id }) => id === BIND) ?? { serverId: '' };
  const version = {
    version: '',
    versionComment: '',
    variables: {},
    options: [],
    startMs: null,
    flushTimes: null,
  };
  const facts = { serverId, datadirFileSystem: type, ...version };
  return seenPassport({
    plan: onEngine(state.plan, { passport: { ...passport, runtime } }),
    servers: { ...state.servers, [serverId]: { facts, log: [] } },
  }).runtime;
}

it('takes the file sharing that a bind mount shows, whatever settings say', () => {
  expect(seen('virtiofs', 'unknown').fileSharing).toBe('virtiofs');
  expect(seen('fuse.grpcfuse', 'virtiofs').fileSharing).toBe('grpcfuse');
  // Docker Desktop's synchronized file shares look like this.
  expect(seen('ext4', 'grpcfuse').fileSharing).toBe('native');
});

it.each([
  ['fakeowner', 'virtiofs', true],
  [null, 'virtiofs', true],
  ['virtiofs', 'virtiofs', true],
  ['9p', 'native', false],
] as const)('keeps what settings say where a bind mount shows %s', (type, fileSharing, vm) => {
  expect(seen(type, fileSharing, vm).fileSharing).toBe(fileSharing);
});
