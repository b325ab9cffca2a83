import type { Passport } from '../../../shared/model/passport.ts';

/**
 * What the entry points of server images do as root, and our helpers: hand a datadir to the server's user, read what is
 * that user's, and become that user (gosu, setpriv, --user). Of Docker's default set nothing else is needed.
 */
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'];
/** Threads count as well: the 512 connections that a preset may have at most, several times over. */
const PIDS = 4096;
/** A driver that can be read back wherever the engine's default is. Two files: following a log survives the change. */
const LOG_DRIVER = 'json-file';
const LOG_OPTIONS = { 'max-size': '32m', 'max-file': '2' };

type EnginePassport = Pick<Passport['runtime'], 'noNewPrivileges'>;

/** What every container of ours may not do, whatever its image; part of its `HostConfig`. */
export function hardenedContainer({ noNewPrivileges = true }: EnginePassport) {
  return {
    CapDrop: ['ALL'],
    CapAdd: CAPABILITIES,
    PidsLimit: PIDS,
    LogConfig: { Type: LOG_DRIVER, Config: LOG_OPTIONS },
    ...(noNewPrivileges ? { SecurityOpt: ['no-new-privileges'] } : {}),
  };
}

/** The same for the task of a service; an engine passes over what its API does not know yet (1.41, privileges 1.46). */
export function hardenedTask({ noNewPrivileges = true }: EnginePassport) {
  return {
    container: {
      CapabilityDrop: ['ALL'],
      CapabilityAdd: CAPABILITIES,
      ...(noNewPrivileges ? { Privileges: { NoNewPrivileges: true } } : {}),
    },
    task: {
      Resources: { Limits: { Pids: PIDS } },
      LogDriver: { Name: LOG_DRIVER, Options: LOG_OPTIONS },
    },
  };
}
