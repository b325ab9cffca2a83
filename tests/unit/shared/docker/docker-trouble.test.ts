import { describe, expect, it } from 'vitest';
import { dockerGuide } from '../../../../src/shared/words/docker-guide.ts';
import { diagnoseDocker, passedOver } from '../../../../src/shared/docker/docker-trouble.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { LANGUAGES } from '../../../../src/shared/model/settings.ts';
import { emptyPlaces, runtimeReportSchema } from '../../../../src/shared/model/passport.ts';
import { expectShown } from '../../../helpers/shown.ts';
import { lookAt, stateFixture, stateFixtures } from '../../benchmark/runtime/docker-state-machine.ts';

const fixtures = stateFixtures();

async function guideOf(name: string): Promise<string[]> {
  const report = await lookAt(stateFixture(name));
  const trouble = diagnoseDocker(report);
  const { facts } = report;
  if (trouble === undefined || facts === null) throw new Error('no trouble');
  return LANGUAGES.flatMap((language) => {
    const { title, lead, steps } = dockerGuide(trouble, facts, createTranslator(language));
    return [title, lead, ...steps.map(({ text, command = null }) => `- ${text} ${command ?? ''}`.trim())];
  });
}

describe('why no engine is usable', () => {
  it.each(fixtures)('%s', async (_, fixture) => {
    const report = runtimeReportSchema.parse(await lookAt(fixture));
    expect(diagnoseDocker(report)).toEqual(fixture.expect);
  });

  it('covers every state', () => {
    const states = new Set(fixtures.map(([, { expect: expected }]) => expected.state));
    expect([...states].sort()).toEqual([
      ...['broken-context', 'forbidden', 'not-installed', 'paused', 'remote-unreachable', 'starting'],
      ...['stopped', 'unknown', 'windows-containers', 'wrong-context'],
    ]);
  });

  it('isn’t asked while an engine is in use', async () => {
    const fixture = stateFixture('wrong-context-linux-variable');
    const report = await lookAt({ ...fixture, env: {} });
    expect(report).toMatchObject({ chosenId: 'context:default', facts: null });
    expect(diagnoseDocker(report)).toBeUndefined();
    expect(passedOver(report)).toBeUndefined();
  });

  it('a context left at a stopped engine is told where another one is in use', async () => {
    const fixture = stateFixture('wrong-context-darwin');
    const config = { '/Users/ada/.docker/config.json': '{"currentContext":"desktop-linux"}' };
    const report = await lookAt({ ...fixture, env: {}, texts: { ...fixture.texts, ...config } });
    expect(report.chosenId).toBe('socket:/Users/ada/.orbstack/run/docker.sock');
    expect(passedOver(report)?.label).toBe('desktop-linux');
  });
});

it('the way out has a title, a reason, and steps, in both languages', async () => {
  const guides = fixtures.map(async ([name]) => [name, await guideOf(name)] as const);
  await expectShown('docker-guides', Object.fromEntries(await Promise.all(guides)));
});

it('counts usual places without an engine only while another is in use', async () => {
  const report = await lookAt(stateFixture('not-installed-linux'));
  expect(emptyPlaces(report)).toEqual([]);
  const empty = emptyPlaces({ ...report, chosenId: 'context:another' });
  expect(empty.length).toBeGreaterThan(0);
  for (const { source, error } of empty)
    expect([source, error?.code]).toEqual(['socket', 'ENDPOINT_MISSING']);
});
