import { describe, expect, it } from 'vitest';
import { describeWayOut } from '../../../../src/cli/commands/doctor.ts';
import { lookAt, stateFixture } from '../../benchmark/runtime/docker-state-machine.ts';

describe('doctor', () => {
  it('has a command for each engine that runs where a variable selects another one', async () => {
    const report = await lookAt(stateFixture('wrong-context-linux-variable'));
    const lines = describeWayOut(report).map((line) => line.trim());
    expect(lines).toContain('whalemark run PRESET --context default');
    expect(lines).toContain('unset DOCKER_HOST');
  });
});
