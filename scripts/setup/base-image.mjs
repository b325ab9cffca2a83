import { appendFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from './cache-dir.mjs';
import { run } from './command.mjs';
import { isRoot } from './machine.mjs';

/** How the directories that a release is unpacked into begin. */
const WORK = 'debootstrap-';

const SOURCES = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'];

/** Documentation is half of a small image that no person opens. Licenses stay. */
const DPKG_EXCLUDES = `path-exclude=/usr/share/doc/*
path-include=/usr/share/doc/*/copyright
path-exclude=/usr/share/man/*
path-exclude=/usr/share/info/*
path-exclude=/usr/share/lintian/*
path-exclude=/usr/share/locale/*
`;

/**
 * Makes an image of a bare Debian release out of its packages, for machines that reach no image registry.
 *
 * @param {object} options
 * @param {string} options.suite `trixie`, `sid`, …
 * @param {string} options.tag
 * @param {Record<string, string>} options.labels
 */
export async function buildBaseImage({ suite, tag, labels }) {
  if (!isRoot())
    throw new Error(`Only root can build ${tag}, and no image registry answers to pull it from.`);
  // Mount options of /tmp may forbid device files and executables.
  const root = mkdtempSync(join(cacheDir(), `${WORK}${suite}-`));
  try {
    const mirror = debianMirror();
    const certificates = mirror.startsWith('https:') ? ['--include=ca-certificates'] : [];
    // debootstrap mounts /proc inside. In its own mount namespace that vanishes with it, however it ends;
    // otherwise one that was killed would leave a live /proc where we are about to delete.
    const debootstrap = [
      'debootstrap',
      '--force-check-gpg',
      '--variant=minbase',
      ...certificates,
      suite,
      root,
      mirror,
    ];
    await run('unshare', ['--mount', '--propagation', 'private', ...debootstrap]);
    slim(root);
    const changes = Object.entries({ ...labels, 'io.whalemark.test-image': '1' }).map(
      ([key, value]) => `LABEL ${key}=${JSON.stringify(value)}`,
    );
    await run('bash', [
      '-c',
      'set -o pipefail; root=$1; shift; tar --numeric-owner -C "$root" -c . | docker import "$@"',
      'import',
      root,
      ...[...changes, 'CMD ["bash"]'].flatMap((change) => ['--change', change]),
      '-',
      tag,
    ]);
  } finally {
    await removeTree(root);
  }
}

/** Removes what an interrupted build left in the cache directory. */
export async function sweepBaseImages() {
  for (const name of readdirSync(cacheDir())) {
    if (name.startsWith(WORK)) await removeTree(join(cacheDir(), name));
  }
}

/** Unlike Node's own, this never crosses into a mounted file system. @param {string} directory */
const removeTree = (directory) => run('rm', ['-rf', '--one-file-system', directory]);

/** @param {string} root */
function slim(root) {
  writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/whalemark-slim'), DPKG_EXCLUDES);
  // Mirrors that keep an old state of a moving suite serve release files past their date.
  appendFileSync(join(root, 'etc/apt/apt.conf.d/99whalemark'), 'Acquire::Check-Valid-Until "false";\n');
  for (const directory of ['man', 'info', 'lintian', 'locale']) {
    rmSync(join(root, 'usr/share', directory), { recursive: true, force: true });
  }
  // Files only: apt insists on its directories.
  for (const directory of ['var/cache/apt', 'var/lib/apt/lists', 'var/log']) {
    for (const entry of readdirSync(join(root, directory), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) rmSync(join(entry.parentPath, entry.name));
    }
  }
}

/** The mirror this machine takes its own Debian packages from. */
function debianMirror() {
  for (const file of SOURCES) {
    let text;
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      continue;
    }
    const uri = text.match(/^\s*(?:URIs:|deb\s+(?:\[[^\]]*\]\s+)?)\s*(https?:\S+)/m)?.[1];
    if (uri) return uri;
  }
  throw new Error(
    `No Debian mirror found in ${SOURCES.join(' or ')}; test images can be built on Debian only.`,
  );
}
