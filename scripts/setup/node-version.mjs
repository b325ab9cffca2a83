/**
 * Whether Whalemark can be built under a version of Node: the range that Vite gives, which package.json repeats. It is
 * asked before anything is installed, so nothing that reads ranges is there yet.
 *
 * @param {string} version as `process.versions.node` has it
 */
export function canBuild(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === 20) return minor >= 19;
  if (major === 22) return minor >= 12;
  return major > 22;
}
