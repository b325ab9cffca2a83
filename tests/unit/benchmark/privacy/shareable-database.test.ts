import { describe, expect, it } from 'vitest';
import { shareable } from '../../../../src/benchmark/privacy/shareable.ts';
import { msg } from '../../../../src/shared/message.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import type { DatabaseReference } from '../../../../src/shared/model/database.ts';
import { sampleState } from '../../builders.ts';

const CONTAINER: DatabaseReference = {
  source: {
    kind: 'container',
    id: 'canary-id',
    name: 'canary-name',
    files: ['/opt/canary-folder/compose.yaml'],
    project: 'canary-project',
  },
  service: 'canary-service',
};
const COMPOSE: DatabaseReference = {
  source: {
    kind: 'compose',
    files: ['/opt/canary-folder/compose.yaml', 'C:\\canary\\b.yaml'],
    project: 'canary-project',
  },
  service: 'canary-service',
};

function stateOf(database: DatabaseReference): RunState {
  const state = sampleState();
  const said = msg('notice.databaseRunning', { name: 'canary-name' });
  const read = msg('yourDatabase.leftOut', { list: '/opt/canary-folder/compose.yaml:3 canary-service' });
  const notices = [
    { code: 'DATABASE_RUNNING', message: said },
    { code: 'DATABASE_READ', message: read },
  ];
  return { ...state, plan: { ...state.plan, database, notices }, notices };
}

function saying(reason: string): RunState {
  const state = stateOf({ ...COMPOSE, service: 'database' });
  return {
    ...state,
    notices: [{ code: 'DATABASE_FOLDER', message: msg('notice.databaseFolder', { reason }) }],
  };
}

describe('the database of a shared result', () => {
  it.each([
    ['a container', CONTAINER],
    ['Compose files', COMPOSE],
  ])('of %s has no name and no path, and neither has anything said of it', (_, database) => {
    const state = stateOf(database);
    if (database === COMPOSE) state.plan.notices = state.notices = [];
    const { state: shared, sharing } = shareable(state);
    expect(JSON.stringify(shared)).not.toContain('canary');
    expect(shared.plan.database?.source.kind).toBe(database.source.kind);
    expect(sharing.leftOut).toMatchObject({
      path: expect.any(Number) as number,
      program: expect.any(Number) as number,
    });
  });

  it('takes no ordinary word out of what is said', () => {
    const { state } = shareable(stateOf({ ...COMPOSE, service: 'database' }));
    expect(state.plan.database?.service).not.toBe('database');
    expect(JSON.stringify(shareable(saying('the server’s database')).state.notices)).toContain('database');
  });

  it('keeps what the user includes', () => {
    const { state } = shareable(stateOf(CONTAINER), {}, ['path', 'program']);
    expect(state.plan.database).toEqual(CONTAINER);
  });
});
