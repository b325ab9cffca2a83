/**
 * electron-builder's arguments in addition to electron-builder.yml.
 *
 * @param {object} of
 * @param {string} of.platform `process.platform`
 * @param {string} of.repository `owner/name` on GitHub, or empty
 * @param {readonly string[]} of.given words behind `npm run package --`
 * @param {{ dist: string, version: string } | undefined} of.testElectron set where Electron's download does not answer
 * @returns {{ args: string[], leftOut: string | undefined }} leftOut: the package that can't be made, and why
 */
export function builderArguments({ platform, repository, given, testElectron }) {
  const args = ['--config', 'electron-builder.yml', '--publish', 'never'];
  if (repository !== '') args.push(`-c.extraMetadata.homepage=https://github.com/${repository}`);
  if (testElectron !== undefined) {
    args.push(
      `-c.electronDist=${testElectron.dist}`,
      `-c.electronVersion=${testElectron.version}`,
      '-c.afterExtract=scripts/package/after-extract-for-tests.mjs',
      '-c.artifactName=whalemark-${version}-${os}-${arch}-for-tests.${ext}',
    );
  }
  // A deb without a home page ends electron-builder, and with it all other targets.
  const withoutDeb = platform === 'linux' && repository === '' && given.length === 0;
  if (withoutDeb) args.push('--linux', 'AppImage', 'tar.gz', '--x64', '--arm64');
  return {
    args: [...args, ...given],
    leftOut: withoutDeb
      ? 'No deb is made: it wants a home page, which WHALEMARK_REPOSITORY=owner/name gives.'
      : undefined,
  };
}
