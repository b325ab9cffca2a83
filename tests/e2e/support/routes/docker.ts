import { join } from 'node:path';
import { dockerGuide } from '../../../../src/shared/words/docker-guide.ts';
import { diagnoseDocker } from '../../../../src/shared/docker/docker-trouble.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { becomeState } from '../../../renderer/support/docker-states.ts';
import { sampled } from '../../../helpers/tier.ts';
import { newFolder } from '../folders.ts';
import { button, resultShown, type Route, type Visitor } from '../visit.ts';

/** One state of each kind, in the gate a few of them. */
const STATES = [
  'not-installed-linux',
  'not-installed-win32',
  'stopped-linux-systemd',
  'stopped-darwin-desktop',
  'starting-darwin',
  'forbidden-linux-other-group',
  'paused-darwin-resource-saver',
  'windows-containers',
  'wrong-context-linux-variable',
  'broken-context-linux',
  'remote-unreachable-linux',
  'unknown-linux',
];

const QUOTED = ['it sent no JSON but “hello”', 'it does not exist', '“containers”', 'ada', 'gone'];

let file = '';

export const docker: Route = {
  name: 'states of Docker',
  start: () => {
    file = join(newFolder('docker-state'), 'report.json');
    return { reportFile: file };
  },
  visitors: [
    ...sampled(STATES, 4).map((state): Visitor => ({
      name: state,
      go: async (visit) => {
        const report = await becomeState(file, state);
        const trouble = diagnoseDocker(report);
        if (trouble === undefined || report.facts === null) throw new Error(`${state} is no trouble`);
        await visit.page.reload();
        const { title, steps } = dockerGuide(trouble, report.facts, createTranslator(visit.language));
        const guide = visit.page.getByRole('region', { name: title });
        for (const { command } of steps) {
          if (command === null) continue;
          await guide.getByText(command, { exact: true }).first().waitFor();
          visit.quoted.push(command);
        }
        // Names that a machine gives, and what its engines say.
        visit.quoted.push(...QUOTED, ...report.attempts.map(({ label }) => label));
      },
    })),
    {
      name: 'an example instead',
      go: async (visit) => {
        await button(visit, visit.t('example.open')).first().click();
        await resultShown(visit);
      },
    },
  ],
};
