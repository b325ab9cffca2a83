import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { emulationNotices, imagesSeen, isEmulated } from '../../../../src/shared/docker/emulation.ts';
import { msg } from '../../../../src/shared/message.ts';
import type { Passport } from '../../../../src/shared/model/passport.ts';
import { ADVICE } from '../../../../src/shared/analysis/advice.ts';
import { actionsOf, adviceText } from '../../../../src/shared/words/advice-wording.ts';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { EXTERNAL_LINKS } from '../../../../src/main/window/security.ts';
import { makePassport, makeState } from '../../builders.ts';
import { BASE, BIND, TWO } from './analysis-helpers.ts';

describe('an emulated image', () => {
  const passport = (runtime: Partial<Passport['runtime']>, host: string): Passport => {
    const made = makePassport(runtime);
    return { ...made, host: { ...made.host, architecture: host } };
  };

  it.each([
    ['amd64', 'aarch64', 'arm64', true],
    ['arm64', 'x86_64', 'x64', true],
    ['arm64', 'aarch64', 'arm64', false],
    ['amd64', 'x86_64', 'x64', false],
    ['386', 'x86_64', 'x64', false],
    // Electron for Intel on Apple silicon.
    ['arm64', 'aarch64', 'x64', false],
    // A virtual machine for amd64 on Apple silicon.
    ['amd64', 'x86_64', 'arm64', true],
    [null, 'aarch64', 'arm64', false],
  ])('of %s on an engine of %s and a host of %s: %s', (architecture, engine, host, expected) => {
    expect(isEmulated({ architecture }, passport({ architecture: engine, vm: true }, host))).toBe(expected);
  });

  it.each([
    ['arm64', 'x86_64', msg('notice.builtOther', { seen: 'x86_64', configured: 'arm64' })],
    ['amd64', 'x86_64', 'x86_64'],
    ['amd64', 'aarch64', undefined],
    [null, 'x86_64', 'x86_64'],
  ])('configured for %s is what its server reports, %s', (architecture, seen, built) => {
    const state = makeState({ scenarios: TWO, image: { architecture } });
    const { serverId } = state.plan.scenarios[0] ?? { serverId: '' };
    const server = state.servers[serverId];
    if (!server?.facts) throw new Error('no facts');
    const variables = { ...server.facts.variables, version_compile_machine: seen };
    const servers = { ...state.servers, [serverId]: { ...server, facts: { ...server.facts, variables } } };
    const images = imagesSeen({ plan: state.plan, servers });
    const [notice] = emulationNotices(images, passport({ architecture: 'aarch64', vm: true }, 'arm64'));
    expect(notice?.message.params['built']).toEqual(built);
  });
});

it('opens the documentation of each setting from the app', () => {
  for (const link of Object.values(ADVICE).flatMap((one) => one.link ?? []))
    expect(EXTERNAL_LINKS).toContain(link);
  const outcomes = {
    [BASE]: [1000, 1010, 990, 1005],
    [BIND]: [500, 505, 495, 500],
  };
  const runtime = { kind: 'docker-desktop', vm: true, fileSharing: 'grpcfuse' } as const;
  const analysis = analyze(makeState({ scenarios: TWO, rounds: 4, runtime, outcomes }));
  const [found] = actionsOf(analysis).filter(({ code }) => code === 'use-virtiofs');
  if (found === undefined) throw new Error('no advice');
  const { text, link } = adviceText(found, analysis, 'grpcfuse', ENGLISH);
  expect(link).toBe(ADVICE['use-virtiofs'].link);
  expect(text).toContain('gRPC FUSE');
});
