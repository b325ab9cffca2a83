import { readJournal, reduceAll } from '../../helpers/journals.ts';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../../src/shared/analysis/analyze.ts';
import { leftOf, realBench, runPlan, smallPlan } from '../helpers/bench.ts';

const PAUSE_MS = 1_000;

describe('a run on the real engine that is paused, and one trial of which is skipped', () => {
  const bench = realBench();

  it('runs no server while it waits, goes on, leaves the skipped trial out, and leaves nothing behind', async () => {
    const plan = await smallPlan(bench.runtime, {
      grid: { storages: ['named-volume'], paths: ['published-port', 'user-bridge'] },
      schedule: { rounds: 2, warmupSeconds: 0, durationSeconds: 2 },
    });
    const began: string[] = [];
    let whilePaused: Promise<string[]> | undefined;
    let wasSkipped = false;
    let nextBeganAt = 0;
    const { state, journalPath, events } = await runPlan(plan, bench.runtime, bench.dataDir, {
      onEvent: (event, _, control) => {
        if (event.type === 'trial-started') {
          began.push(event.trialId);
          if (began.length === 4) nextBeganAt = event.at;
        }
        if (event.type === 'window' && began.length === 1) control.pause();
        if (event.type === 'run-paused') {
          whilePaused = bench.runtime.containers
            .listRunning()
            .then((running) =>
              running
                .filter(({ labels }) => labels['io.whalemark.role'] === 'server')
                .map(({ name }) => name),
            );
          setTimeout(() => control.resume(), PAUSE_MS);
        }
        if (event.type === 'window' && began.length === 3 && !wasSkipped) {
          wasSkipped = true;
          control.skip();
        }
      },
    });

    expect(state.error).toBeNull();
    expect(state.outcome).toBe('completed');
    expect(state.pauses).toHaveLength(1);
    const [pause] = state.pauses;
    expect((pause?.until ?? 0) - (pause?.from ?? 0)).toBeGreaterThanOrEqual(PAUSE_MS - 50);
    expect(await whilePaused).toEqual([]);
    // The trial that ran was measured to its end, and only one was lost.
    const [first] = began;
    expect(state.trials.find(({ id }) => id === first)?.status).toBe('measured');
    const skipped = state.trials.filter(({ status }) => status !== 'measured');
    expect(skipped.map(({ id, error }) => [id, error?.code])).toEqual([[began[2], 'SKIPPED']]);
    const ended = events.find(({ type }) => type === 'trial-failed')?.at ?? Infinity;
    expect(ended).toBeLessThanOrEqual(nextBeganAt);

    expect(analyze(state).notices.map(({ code }) => code)).toContain('TRIALS_SKIPPED');
    const journal = await readJournal(journalPath);
    expect(reduceAll(journal?.events ?? [])).toEqual(state);
    expect(await leftOf(bench.runtime, state.runId)).toEqual([]);

    // Where containers are programs of this machine's kernel, each second knows what they use.
    const { platform, runtime } = { platform: process.platform, runtime: plan.passport.runtime };
    if (platform === 'linux' && !runtime.vm && !runtime.remote) {
      const seconds = state.trials.flatMap(({ windows }) => windows.map(({ container }) => container?.cores));
      expect(seconds.filter((cores) => (cores ?? 0) > 0).length).toBeGreaterThan(0);
    }
  });
});
