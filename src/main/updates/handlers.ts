import type { MainHandlers } from '../requests/router.ts';
import type { UpdateCheck } from './update-check.ts';

/** Addresses of a repository's releases: what is asked, and the page for people. */
export interface ReleasePlaces {
  /** null: nobody is asked. */
  address: string | null;
  page: string | null;
}

/**
 * Where the releases of a repository (`owner/name`, empty for none) are. `override`, the environment variable
 * WHALEMARK_RELEASES, is another address to ask, or `off`; only https, or plain http of this machine.
 */
export function releasePlaces(repository: string, override: string | undefined): ReleasePlaces {
  if (repository === '' || override === 'off') return { address: null, page: null };
  const page = `https://github.com/${repository}/releases/latest`;
  if (override === undefined || override === '')
    return { address: `https://api.github.com/repos/${repository}/releases/latest`, page };
  return { address: /^(https:\/\/|http:\/\/127\.0\.0\.1:)/.test(override) ? override : null, page };
}

/** Requests about releases. */
export function createUpdateHandlers(check: UpdateCheck, openPage: () => Promise<void>) {
  return {
    'updates:get': () => Promise.resolve(check.state),
    'updates:ask': () => check.ask(),
    'updates:dismiss': () => Promise.resolve(check.dismiss()),
    'updates:open-page': async () => {
      await openPage();
      return undefined;
    },
  } satisfies Partial<MainHandlers>;
}
