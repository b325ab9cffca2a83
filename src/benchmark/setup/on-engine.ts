import { isEmulated } from '../../shared/docker/emulation.ts';
import { msg, type Message, type MessageCode } from '../../shared/message.ts';
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
  // Of a volume that was made outside Compose, only the engine knows the driver.
  const isOutside = service.storage.kind === 'named-volume' && service.storage.driver === null;
  const known = isOutside && found !== undefined ? found : service;
  return {
    ...service,
    storage: { ...known.storage, at: service.storage.at },
    refusal: service.refusal ?? known.refusal,
    flavor: service.flavor ?? found?.flavor ?? null,
    container: found?.container ?? null,
    warnings: [...emulated, ...service.warnings.filter((one) => known === service || !saysOutside(one))],
  };
}

function saysOutside({ params }: Message): boolean {
  const { reason } = params;
  return typeof reason === 'object' && reason.code === ('compose.externalVolume' satisfies MessageCode);
}
