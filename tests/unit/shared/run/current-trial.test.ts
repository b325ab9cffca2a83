import { expect, it } from 'vitest';
import { currentTrial } from '../../../../src/shared/model/run-state.ts';
import { makeState } from '../../builders.ts';

const [trial] = makeState().trials;
if (trial === undefined) throw new Error('no trial');
const waiting = { ...trial, id: 'waiting', status: 'running' as const, phase: null, finishedAt: 100 };
const latest = { ...waiting, id: 'latest', finishedAt: 200 };

it('is the trial with a phase, else the one whose slice ended last', () => {
  const measured = { ...waiting, id: 'measured', phase: 'measure' as const, finishedAt: null };
  const ended = { ...latest, id: 'ended', status: 'measured' as const, finishedAt: 300 };
  expect(currentTrial([ended, waiting, latest, measured])?.id).toBe('measured');
  expect(currentTrial([ended, waiting, latest])?.id).toBe('latest');
  expect(currentTrial([ended])).toBeUndefined();
});
