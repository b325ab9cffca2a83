import type { Passport } from '../../shared/model/passport.ts';
import type { PathKind } from '../../shared/model/names.ts';
import type { StorageSpec } from '../../shared/model/preset.ts';

/**
 * The support matrix: why this runtime can't run a scenario, or undefined when it can. A refusal is a reason to
 * show, never a reason to drop the scenario silently.
 */
export function unsupportedReason(
  passport: Passport,
  _storage: StorageSpec,
  path: PathKind,
): string | undefined {
  const { runtime } = passport;
  if (path === 'host-network' && !runtime.hostNetworking) {
    if (runtime.kind === 'docker-desktop') {
      return 'Host networking is off in Docker Desktop (Settings → Resources → Network → Enable host networking, 4.34 or later).';
    }
    if (runtime.rootless) {
      return 'A rootless engine has a network namespace of its own: --network host does not reach the host.';
    }
    return 'Containers run in a virtual machine: --network host is the network of the VM, not of this machine.';
  }
  return undefined;
}
