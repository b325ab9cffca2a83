import type { ComposeModel, ComposeService } from './model.ts';
import { isOptionPlace } from './option-files.ts';
import { isWithin, mountsOf, normalPath } from './storage.ts';

export const INIT_DIRECTORY = '/docker-entrypoint-initdb.d';

export interface GivenFile {
  source: string;
  target: string;
}

/** Data and option files are left out. */
export function filesOfStart(service: ComposeService, model: ComposeModel, datadir: string): GivenFile[] {
  const given = (
    all: ComposeService['configs'],
    known: ComposeModel['configs'],
    folder: string,
  ): GivenFile[] =>
    (all ?? []).flatMap(({ source, target }) => {
      const file = known?.[source]?.file ?? null;
      const place = target ?? source;
      const path = normalPath(place.startsWith('/') ? place : `${folder}/${place}`);
      return file === null ? [] : [{ source: file, target: path }];
    });
  const mounted = mountsOf(service).flatMap(({ kind, source, target }) =>
    kind === 'bind' && source !== null ? [{ source, target }] : [],
  );
  return [
    ...mounted,
    ...given(service.configs, model.configs, '/'),
    ...given(service.secrets, model.secrets, '/run/secrets'),
  ].filter(
    ({ target }) => !isWithin(target, datadir) && !isWithin(datadir, target) && !isOptionPlace(target),
  );
}
