import type { FileSharing, Passport } from '../model/passport.ts';
import { passportOf, plansOn } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';

/** Docker Desktop's `fakeowner` hides the file system below it. */
const SHARING: Record<string, FileSharing> = {
  virtiofs: 'virtiofs',
  'fuse.grpcfuse': 'grpcfuse',
  'fuse.osxfs': 'osxfs',
  '9p': '9p',
  'fuse.sshfs': 'sshfs',
  // A synchronized file share is a copy on the VM's disk (docs.docker.com, "Synchronized file shares").
  ext4: 'native',
};

type Seen = Pick<RunState, 'plan' | 'servers'>;

/** File sharing as bind mounts showed it, instead of the settings. */
export function seenPassport(run: Seen): Passport {
  return seenPassports(run)[0] ?? passportOf(run.plan);
}

export function seenPassports({ plan, servers }: Seen): Passport[] {
  return plansOn(plan).map((part) => seenIn({ plan: part, servers }));
}

function seenIn({ plan, servers }: Seen): Passport {
  const passport = passportOf(plan);
  const { fileSharing, vm } = passport.runtime;
  const seen = plan.scenarios.flatMap(({ storage, serverId }) => {
    const type = storage.kind === 'bind-mount' ? servers[serverId]?.facts?.datadirFileSystem : null;
    return SHARING[type ?? ''] ?? [];
  })[0];
  if (seen === undefined || seen === fileSharing || !vm) return passport;
  return { ...passport, runtime: { ...passport.runtime, fileSharing: seen } };
}
