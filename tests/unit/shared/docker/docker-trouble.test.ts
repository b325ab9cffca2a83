import { describe, expect, it } from 'vitest';
import { dockerGuide } from '../../../../src/shared/words/docker-guide.ts';
import { diagnoseDocker, passedOver } from '../../../../src/shared/docker/docker-trouble.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { LANGUAGES } from '../../../../src/shared/model/settings.ts';
import { emptyPlaces, runtimeReportSchema } from '../../../../src/shared/model/passport.ts';
import { pattern } from '../../../helpers/words.ts';
import { lookAt, stateFixture, stateFixtures } from '../../benchmark/runtime/docker-state-machine.ts';

const fixtures = stateFixtures();

async function guideOf(name: string, language: (typeof LANGUAGES)[number] = 'en') {
  const report = await lookAt(stateFixture(name));
  const trouble = diagnoseDocker(report);
  if (trouble === undefined || report.facts === null) throw new Error('no trouble');
  return dockerGuide(trouble, report.facts, createTranslator(language));
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

describe('the way out', () => {
  it.each(fixtures)('has a title, a reason, and steps in both languages: %s', async (name) => {
    for (const language of LANGUAGES) {
      const { title, lead, steps } = await guideOf(name, language);
      expect(steps.length).toBeGreaterThan(0);
      for (const text of [title, lead, ...steps.map((step) => step.text)]) {
        expect(text).not.toMatch(/^$|guide\.|\{\{|undefined|null/);
        if (language === 'zh-CN') expect(text).toMatch(/[\u4e00-\u9fff]/);
      }
    }
  });

  it.each([
    ['not-installed-linux', 'sudo usermod -aG docker ada'],
    ['not-installed-win32', 'winget install -e --id Docker.DockerDesktop'],
    ['stopped-linux-systemd', 'sudo systemctl start docker'],
    ['stopped-linux-without-systemd', 'sudo service docker start'],
    ['stopped-linux-snap', 'sudo snap start docker'],
    ['stopped-darwin-desktop', 'open -a Docker'],
    ['stopped-darwin-orbstack', 'open -a OrbStack'],
    ['stopped-darwin-colima', 'colima start'],
    ['forbidden-linux', 'sudo usermod -aG docker ada'],
    ['forbidden-linux-other-group', 'sudo usermod -aG containers ada'],
    ['forbidden-win32', 'net localgroup docker-users "ada" /add'],
    ['wrong-context-linux-variable', 'unset DOCKER_HOST'],
    ['wrong-context-win32', 'Remove-Item Env:DOCKER_HOST'],
    ['broken-context-linux', 'unset DOCKER_CONTEXT'],
    ['remote-unreachable-linux-beside-forbidden', 'unset DOCKER_CONTEXT'],
  ])('%s: %s', async (name, command) => {
    expect((await guideOf(name)).steps.map((step) => step.command)).toContain(command);
  });

  it('needs no engine of a machine that has the command alone, and says so', async () => {
    expect((await guideOf('not-installed-command-only')).lead).toMatch(
      pattern('guide.notInstalled.leadCommand'),
    );
    expect((await guideOf('not-installed-linux')).lead).toMatch(pattern('guide.notInstalled.lead'));
  });

  it('a member of the group is told to log in again, not to join it once more', async () => {
    const { lead, steps } = await guideOf('forbidden-linux-before-login');
    expect(lead).toMatch(pattern('guide.forbidden.leadMember'));
    expect(steps.some(({ command }) => command?.includes('usermod') === true)).toBe(false);
  });
});

it('counts usual places without an engine only while another is in use', async () => {
  const report = await lookAt(stateFixture('not-installed-linux'));
  expect(emptyPlaces(report)).toEqual([]);
  const empty = emptyPlaces({ ...report, chosenId: 'context:another' });
  expect(empty.length).toBeGreaterThan(0);
  for (const { source, error } of empty)
    expect([source, error?.code]).toEqual(['socket', 'ENDPOINT_MISSING']);
});
