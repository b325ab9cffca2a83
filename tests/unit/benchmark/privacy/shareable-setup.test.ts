import { describe, expect, it } from 'vitest';
import { shareable } from '../../../../src/benchmark/privacy/shareable.ts';
import { msg } from '../../../../src/shared/message.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import type { SetupReference } from '../../../../src/shared/model/setup.ts';
import { sampleState } from '../../builders.ts';

const CONTAINER: SetupReference = {
  source: {
    kind: 'container',
    id: 'canary-id',
    name: 'canary-name',
    files: ['/opt/canary-folder/compose.yaml'],
    project: 'canary-project',
  },
  service: 'canary-service',
};
const COMPOSE: SetupReference = {
  source: {
    kind: 'compose',
    files: ['/opt/canary-folder/compose.yaml', 'C:\\canary\\b.yaml'],
    project: 'canary-project',
  },
  service: 'canary-service',
};

function stateOf(setup: SetupReference): RunState {
  const state = sampleState();
  const said = msg('notice.setupRunning', { name: 'canary-name' });
  const read = msg('mySetup.leftOut', { list: '/opt/canary-folder/compose.yaml:3 canary-service' });
  const notices = [
    { code: 'SETUP_RUNNING', message: said },
    { code: 'SETUP_READ', message: read },
  ];
  return { ...state, plan: { ...state.plan, setup, notices }, notices };
}

function saying(reason: string): RunState {
  const state = stateOf({ ...COMPOSE, service: 'database' });
  return { ...state, notices: [{ code: 'SETUP_FOLDER', message: msg('notice.setupFolder', { reason }) }] };
}

describe('the setup of a shared result', () => {
  it.each([
    ['a container', CONTAINER],
    ['Compose files', COMPOSE],
  ])('of %s has no name and no path, and neither has anything said of it', (_, setup) => {
    const state = stateOf(setup);
    if (setup === COMPOSE) state.plan.notices = state.notices = [];
    const { state: shared, sharing } = shareable(state);
    expect(JSON.stringify(shared)).not.toContain('canary');
    expect(shared.plan.setup?.source.kind).toBe(setup.source.kind);
    expect(sharing.leftOut).toMatchObject({
      path: expect.any(Number) as number,
      program: expect.any(Number) as number,
    });
  });

  it('takes no ordinary word out of what is said', () => {
    const { state } = shareable(stateOf({ ...COMPOSE, service: 'database' }));
    expect(state.plan.setup?.service).not.toBe('database');
    expect(JSON.stringify(shareable(saying('the server’s database')).state.notices)).toContain('database');
  });

  it('keeps what the user includes', () => {
    const { state } = shareable(stateOf(CONTAINER), {}, ['path', 'program']);
    expect(state.plan.setup).toEqual(CONTAINER);
  });
});
