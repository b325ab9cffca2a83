import { isEmulated } from '../../shared/docker/emulation.ts';
import { msg } from '../../shared/message.ts';
import type { Passport } from '../../shared/model/passport.ts';
import type { Setup, SetupService } from '../../shared/model/setup.ts';

/** What an engine adds to Compose files: their containers, and which platforms it has to emulate. */
export function onEngine(setup: Setup, containers: readonly Setup[], passport: Passport): Setup {
  const { project } = setup.source;
  const own = containers
    .filter(({ source }) => source.project === project)
    .flatMap(({ services }) => services);
  return { ...setup, services: setup.services.map((service) => withEngine(service, own, passport)) };
}

function withEngine(service: SetupService, own: readonly SetupService[], passport: Passport): SetupService {
  const found = own.find(({ name }) => name === service.name);
  const { runtime, host } = passport;
  const architecture = service.platform?.split('/')[1] ?? null;
  const emulated = isEmulated({ architecture }, passport)
    ? [
        msg(runtime.rosetta === true ? 'notice.imageEmulatedRosetta' : 'notice.imageEmulated', {
          image: service.image,
          built: architecture ?? '',
          machine: runtime.remote ? runtime.architecture : host.architecture,
        }),
      ]
    : [];
  return {
    ...service,
    flavor: service.flavor ?? found?.flavor ?? null,
    container: found?.container ?? null,
    warnings: [...emulated, ...service.warnings],
  };
}
