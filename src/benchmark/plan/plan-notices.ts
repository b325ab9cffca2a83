import { imagesOf, type Notice, type Plan } from '../../shared/model/plan.ts';
import type { Passport } from '../../shared/model/passport.ts';
import type { Preset } from '../../shared/model/preset.ts';
import type { RunOutline } from '../../shared/model/run-state.ts';
import {
  asContinued,
  latestPassport,
  trialsWithoutNumbers,
  versionChanges,
} from '../../shared/run/continuing.ts';
import { versionNumbers } from '../target/server-options.ts';
import { isSoftMount } from '../target/storage/volume-options.ts';

/** What must be known of a plan wherever its numbers stand. */
export function planNotices(preset: Preset, plan: Pick<Plan, 'setups' | 'scenarios' | 'excluded'>): Notice[] {
  return [
    ...imageNotices(plan),
    ...nativeNotices(plan),
    ...externalNotices(plan),
    ...baselineNotices(preset, plan),
    ...softMountNotices(plan),
    ...openPortNotices(plan),
  ];
}

/** What must be known of a run that continues after an update; undefined where nothing was updated. */
export function updateNotice(
  run: Pick<RunOutline, 'plan' | 'updates' | 'trials'>,
  now: Passport,
): Notice | undefined {
  const changes = versionChanges(latestPassport(run), now);
  if (changes.length === 0) return undefined;
  const list = changes.map(({ was, is }) => `${was} → ${is}`).join(', ');
  const rounds = [...new Set(trialsWithoutNumbers(asContinued(run, now)).map(({ round }) => round))].join(
    ', ',
  );
  return {
    code: 'RUN_UPDATED',
    message: `Updated while this run was interrupted: ${list}. Measured after the update: every trial of round ${rounds}. No round mixes both.`,
  };
}

function imageNotices(plan: Pick<Plan, 'setups' | 'scenarios'>): Notice[] {
  return imagesOf(plan)
    .filter(({ substituted }) => substituted)
    .map(({ requested, reason, used, flavour, version }) => ({
      code: 'IMAGE_SUBSTITUTED',
      message: `${requested} could not be fetched (${reason ?? 'registry unreachable'}); the local image ${used} (${flavour ?? ''} ${version ?? ''}) stands in for it.`,
    }));
}

/** A stock instance is only a baseline for containers of the same server. */
function nativeNotices({ setups }: Pick<Plan, 'setups'>): Notice[] {
  const notices = setups.flatMap(({ native, image }): Notice[] => {
    if (native === null || image.version === null) return [];
    // Only images carry a packager's suffix: "11.8.6-0".
    const same = String(versionNumbers(native.version)) === String(versionNumbers(image.version));
    if (native.flavour === image.flavour && same) return [];
    return [
      {
        code: 'NATIVE_DIFFERS',
        message: `The server on the host is ${native.flavour} ${native.version}, the one in containers ${image.flavour ?? ''} ${image.version}: what differs between them is not Docker's doing alone.`,
      },
    ];
  });
  return notices.slice(0, 1);
}

/** A server that is not ours keeps its own settings, so it differs from the others in more than where it runs. */
function externalNotices({ scenarios }: Pick<Plan, 'scenarios'>): Notice[] {
  if (scenarios.every(({ storage }) => storage.kind !== 'external')) return [];
  return [
    {
      code: 'EXTERNAL_SETTINGS',
      message:
        'The external server keeps its own settings: the buffer pool, the redo log and the options of this preset do not apply to it. What it really uses is read back and shown.',
    },
  ];
}

function baselineNotices(
  preset: Preset,
  { scenarios, excluded }: Pick<Plan, 'scenarios' | 'excluded'>,
): Notice[] {
  const [first] = [preset.baseline].flat();
  const used = scenarios.find(({ isBaseline }) => isBaseline);
  if (first === undefined || used === undefined || used.baselineId.startsWith(first)) return [];
  const left = excluded.find(({ id }) => id.startsWith(first));
  return [
    {
      code: 'BASELINE_REPLACED',
      message: `The preset's own baseline (${left?.name ?? first}) can't run here; the others are compared with “${used.name}” instead.`,
    },
  ];
}

function softMountNotices({ scenarios }: Pick<Plan, 'scenarios'>): Notice[] {
  const soft = scenarios.find(({ storage }) => isSoftMount(storage));
  if (soft === undefined) return [];
  return [
    {
      code: 'SOFT_MOUNT',
      scenarioId: soft.id,
      message:
        'The volume is mounted with “soft”: when its server is slow to answer, writes are given up and the database can lose data without knowing. Speed measured this way is not the speed of a safe setup.',
    },
  ];
}

/** Every other port of ours is on 127.0.0.1; the mesh has no such choice. */
function openPortNotices({ scenarios }: Pick<Plan, 'scenarios'>): Notice[] {
  const open = scenarios.find(({ path }) => path === 'ingress');
  if (open === undefined) return [];
  return [
    {
      code: 'PORT_OPEN',
      scenarioId: open.id,
      message:
        'While this scenario is measured, its server’s port is open on every address of all the swarm’s nodes: the routing mesh knows no other way. Its account has a random password and reaches its own schema alone, and root can’t come over the network.',
    },
  ];
}
