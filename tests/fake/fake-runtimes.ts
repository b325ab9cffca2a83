import { existsSync, readFileSync } from 'node:fs';
import { BenchmarkError } from '../../src/shared/errors.ts';
import {
  runtimeReportSchema,
  type RuntimeAttempt,
  type RuntimeReport,
} from '../../src/shared/model/passport.ts';
import { makePassport } from '../unit/builders.ts';
import type { FakeBehavior, Story } from './behavior.ts';
import { mainShape } from './fake-stories.ts';

const NOTHING_INSTALLED = {
  platform: 'linux' as const,
  wsl: false,
  products: [],
  hasCommand: false,
  services: 'systemd' as const,
  user: 'ada',
  sockets: [],
};

/** Looks for runtimes on the machine of the story; it remembers how often it has looked. */
export function fakeLook(behavior: () => FakeBehavior): (preferId?: string) => RuntimeReport {
  let looks = 0;
  return (preferId) => {
    looks += 1;
    const { story, looksWithout, reportFile } = behavior();
    if (existsSync(reportFile)) {
      return { ...runtimeReportSchema.parse(JSON.parse(readFileSync(reportFile, 'utf8'))), at: Date.now() };
    }
    const nothingYet = story === 'no-runtime' && looks <= looksWithout;
    return reportOf(story, { nothingYet, ...(preferId === undefined ? {} : { preferId }) });
  };
}

function reportOf(story: Story, asked: { nothingYet: boolean; preferId?: string }): RuntimeReport {
  const { nothingYet, preferId } = asked;
  const passport = makePassport(mainShape(story).runtime);
  const missing = new BenchmarkError('ENDPOINT_MISSING', {
    endpoint: 'unix:///root/.docker/desktop/docker.sock',
  });
  const refused = new BenchmarkError('ENDPOINT_REFUSED', {
    endpoint: 'unix:///root/.colima/default/docker.sock',
  });
  const attempt = { sameAs: [], passport: null, error: null, usable: false, chosen: false };
  const hasColima = story === 'two-runtimes';
  const attempts: RuntimeAttempt[] = [
    {
      ...attempt,
      id: 'context:default',
      source: 'context',
      label: 'default',
      endpoint: 'unix:///var/run/docker.sock',
      ...(nothingYet
        ? { error: missing.toData() }
        : { usable: true, sameAs: ['socket:/var/run/docker.sock'], passport }),
    },
    {
      ...attempt,
      id: 'context:colima',
      source: 'context',
      label: 'colima',
      endpoint: 'unix:///root/.colima/default/docker.sock',
      ...(hasColima
        ? { usable: true, passport: makePassport({ kind: 'colima', name: 'Colima 0.9', vm: true }) }
        : { error: nothingYet ? missing.toData() : refused.toData() }),
    },
    {
      ...attempt,
      id: 'socket:/var/run/docker.sock',
      source: 'socket',
      label: 'Docker Engine socket',
      endpoint: 'unix:///var/run/docker.sock',
      ...(nothingYet ? { error: missing.toData() } : { usable: true, sameAs: ['context:default'], passport }),
    },
    {
      ...attempt,
      id: 'socket:desktop',
      source: 'socket',
      label: 'Docker Desktop socket',
      endpoint: 'unix:///root/.docker/desktop/docker.sock',
      error: missing.toData(),
    },
  ];
  const chosenId = nothingYet ? null : (preferId ?? 'context:default');
  return {
    at: Date.now(),
    chosenId,
    facts: nothingYet ? NOTHING_INSTALLED : null,
    ...(hasColima ? { removed: [{ kind: 'volume', name: 'whalemark-20260528-211500-c3d4-data' }] } : {}),
    attempts: attempts.map((one) => ({ ...one, chosen: one.id === chosenId })),
  };
}
