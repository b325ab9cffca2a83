/**
 * Whether a path of Windows leads to another computer (\\server\share): even to ask whether it is there logs in over
 * there, so that no path that a stranger may have written is asked. Elsewhere shares are mounted by their user.
 */
export function isNetworkShare(path: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' && /^[\\/]{2}/.test(path);
}
