import process from 'node:process';

/** The range is Vite's, which package.json repeats. Runs before any package is installed. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const canBuild = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22;
  if (canBuild) return;
  console.error(`Whalemark needs Node 20.19, 22.12 or later to build; this is ${process.version}.`);
  process.exit(1);
}
