import { describe, expect, it } from 'vitest';
import { describeWayOut } from '../../../../src/cli/commands/doctor.ts';
import { lookAt, stateFixtures } from '../../benchmark/runtime/docker-state-machine.ts';

describe('doctor', () => {
  it('has a command for each engine that runs where a variable selects another one', async () => {
    const fixture = stateFixtures().find(([name]) => name === 'wrong-context-linux-variable')?.[1];
    if (fixture === undefined) throw new Error('no fixture');
    const lines = describeWayOut(await lookAt(fixture)).map((line) => line.trim());
    expect(lines).toContain('whalemark run PRESET --context default');
    expect(lines).toContain('unset DOCKER_HOST');
  });
});
