import { readFileSync } from 'node:fs';

/** @param {string} path */
function readOr(path, otherwise = '') {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}

/** False on Windows. */
export function isRoot() {
  return process.getuid?.() === 0;
}

export function isDebianLike() {
  if (process.platform !== 'linux') return false;
  const fields = readOr('/etc/os-release').match(/^ID(_LIKE)?=.*$/gm) ?? [];
  return /\b(debian|ubuntu)\b/.test(fields.join(' '));
}

export function hasInitSystem() {
  if (process.platform !== 'linux') return true;
  // Windows' Linux calls its own "init(NAME)".
  return /^(systemd|init\b|runit|openrc-init|s6-svscan)/.test(readOr('/proc/1/comm', 'systemd'));
}

/**
 * Undefined for an ended process or a zombie. Process ids are reused, so a pid file alone doesn't prove that
 * *its* process still runs.
 *
 * @param {number} pid
 * @returns {string | undefined}
 */
export function processName(pid) {
  const status = readOr(`/proc/${pid}/status`);
  if (/^State:\s*[ZX]/m.test(status)) return undefined;
  return status.match(/^Name:\s*(.+)$/m)?.[1];
}
