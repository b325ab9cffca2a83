import type { DockerTrouble } from './docker-trouble.ts';
import type { TextKey, TextParams, Translate } from '../words/i18n.ts';
import { productTraits } from '../kinds/engines.ts';
import type { DockerFacts } from '../model/passport.ts';

interface GuideStep {
  text: string;
  command: string | null;
  /** To choose one of. */
  engines?: { id: string; label: string }[];
}

interface DockerGuide {
  title: string;
  lead: string;
  steps: GuideStep[];
}

type GuideKey = Extract<TextKey, `ui:guide.${string}`> extends `ui:guide.${infer Rest}` ? Rest : never;
type Say = (key: GuideKey, params?: TextParams) => string;
type Trouble<S extends DockerTrouble['state']> = Extract<DockerTrouble, { state: S }>;

export function dockerGuide(trouble: DockerTrouble, facts: DockerFacts, t: Translate): DockerGuide {
  const say: Say = (key, params) => t(`ui:guide.${key}`, params);
  switch (trouble.state) {
    case 'not-installed':
      return notInstalled(trouble, facts, say);
    case 'stopped':
      return stopped(trouble, facts, say);
    case 'starting':
      return starting(trouble, facts, say);
    case 'forbidden':
      return facts.platform === 'win32' ? forbiddenPipe(facts, say) : forbiddenSocket(trouble, facts, say);
    case 'paused':
      return paused(trouble, say);
    case 'windows-containers':
      return {
        title: say('windowsContainers.title'),
        lead: say('windowsContainers.lead'),
        steps: [
          step(say('windowsContainers.menu')),
          step(
            say('windowsContainers.command'),
            '& "$Env:ProgramFiles\\Docker\\Docker\\DockerCli.exe" -SwitchLinuxEngine',
          ),
        ],
      };
    case 'wrong-context':
      return {
        title: say(trouble.variable === 'DOCKER_HOST' ? 'wrongContext.title' : 'wrongContext.titleContext', {
          address: trouble.label,
        }),
        lead: say('wrongContext.lead', { variable: trouble.variable }),
        steps: [
          { ...step(say('wrongContext.use')), engines: trouble.usable },
          step(say('wrongContext.start', { label: trouble.label })),
          unset(trouble.variable, facts, say),
        ],
      };
    case 'broken-context':
      return {
        title: say('brokenContext.title', { label: trouble.label }),
        lead: say('brokenContext.lead'),
        steps: [
          step(say('brokenContext.list'), 'docker context ls'),
          trouble.variable === null
            ? step(say('brokenContext.use'), 'docker context use default')
            : unset(trouble.variable, facts, say),
          step(say('brokenContext.start')),
        ],
      };
    case 'remote-unreachable':
      return remote(trouble, facts, say);
    case 'unknown':
      return {
        title: say('unknown.title'),
        lead: say('unknown.lead'),
        steps: [step(say('unknown.test'), 'docker version'), step(say('unknown.places'))],
      };
  }
}

function step(text: string, command: string | null = null): GuideStep {
  return { text, command };
}

const INSTALL = {
  darwin: 'brew install --cask docker-desktop',
  win32: 'winget install -e --id Docker.DockerDesktop',
  linux: 'curl -fsSL https://get.docker.com | sudo sh',
} as const;

function notInstalled(
  { wsl, hasCommand }: Trouble<'not-installed'>,
  { platform, user }: DockerFacts,
  say: Say,
): DockerGuide {
  const desktop = [
    step(say(`notInstalled.${platform}`), INSTALL[platform]),
    step(say('notInstalled.open'), productTraits('docker-desktop').start(platform, 'other')),
  ];
  const engine = [
    ...(wsl ? [step(say('notInstalled.wsl'))] : []),
    step(say(wsl ? 'notInstalled.wslEngine' : 'notInstalled.linux'), INSTALL.linux),
    step(say('notInstalled.group'), joinGroup('docker', user)),
    step(say('forbidden.again')),
  ];
  return {
    title: say('notInstalled.title'),
    lead: say(hasCommand ? 'notInstalled.leadCommand' : 'notInstalled.lead'),
    steps: [...(platform === 'linux' ? engine : desktop), step(say('notInstalled.others'))],
  };
}

function stopped(
  { product, services }: Trouble<'stopped'>,
  { platform }: DockerFacts,
  say: Say,
): DockerGuide {
  if (product === null) {
    return {
      title: say('stopped.titleUnknown'),
      lead: say('stopped.leadUnknown'),
      steps: [step(say('stopped.startUnknown')), step(say('stopped.wait'))],
    };
  }
  const { name, start } = productTraits(product);
  return {
    title: say('stopped.title', { name }),
    lead: say('stopped.lead'),
    steps: [
      step(say('stopped.start', { name }), start(platform, services)),
      step(say('stopped.wait')),
      ...(product === 'docker-engine' && services === 'systemd'
        ? [step(say('stopped.log'), 'journalctl -u docker --no-pager -n 50')]
        : []),
    ],
  };
}

function starting(
  { product, services }: Trouble<'starting'>,
  { platform }: DockerFacts,
  say: Say,
): DockerGuide {
  const name = product === null ? say('anEngine') : productTraits(product).name;
  return {
    title: say('starting.title', { name }),
    lead: say('starting.lead'),
    steps: [
      step(say('starting.wait')),
      ...(product === 'docker-desktop' ? [step(say('starting.dialog'))] : []),
      step(
        say('starting.restart'),
        product === null ? null : productTraits(product).restart(platform, services),
      ),
    ],
  };
}

/** The socket's real group, mostly `docker`. */
function forbiddenSocket(trouble: Trouble<'forbidden'>, { user }: DockerFacts, say: Say): DockerGuide {
  const { path, group, isMember, openToGroup } = trouble;
  const title = say('forbidden.title');
  const again = step(say('forbidden.again'));
  if (group === null || group === 'root' || group === 'wheel' || !openToGroup) {
    const command = `sudo groupadd -f docker && ${joinGroup('docker', user)} && sudo systemctl restart docker`;
    return {
      title,
      lead: say('forbidden.leadRoot', { path }),
      steps: [step(say('forbidden.make'), command), again],
    };
  }
  if (isMember) {
    return {
      title,
      lead: say('forbidden.leadMember', { path, group, user }),
      steps: [again, step(say('forbidden.groups'), 'id -nG')],
    };
  }
  return {
    title,
    lead: say('forbidden.lead', { path, group, user }),
    steps: [step(say('forbidden.join'), joinGroup(group, user)), again, step(say('forbidden.careful'))],
  };
}

function joinGroup(group: string, user: string): string {
  return `sudo usermod -aG ${group} ${user === '' ? '"$USER"' : user}`;
}

function forbiddenPipe({ user }: DockerFacts, say: Say): DockerGuide {
  return {
    title: say('forbidden.title'),
    lead: say('forbidden.leadPipe'),
    steps: [
      step(say('forbidden.joinPipe'), `net localgroup docker-users "${user}" /add`),
      step(say('forbidden.again')),
    ],
  };
}

function paused({ byUser }: Trouble<'paused'>, say: Say): DockerGuide {
  return {
    title: say('paused.title'),
    lead: say(byUser ? 'paused.leadUser' : 'paused.lead'),
    steps: [
      step(say('paused.resume')),
      step(say('paused.restart'), 'docker desktop restart'),
      step(say('paused.saver')),
    ],
  };
}

function remote(trouble: Trouble<'remote-unreachable'>, facts: DockerFacts, say: Say): DockerGuide {
  const { label, trial, variable } = trouble;
  return {
    title: say('remote.title', { label }),
    lead: say('remote.lead'),
    steps: [
      step(say('remote.on')),
      ...(trial === null ? [] : [step(say('remote.trial'), trial)]),
      variable === null
        ? step(say('remote.context'), 'docker context use default')
        : unset(variable, facts, say),
    ],
  };
}

function unset(variable: string, { platform }: DockerFacts, say: Say): GuideStep {
  return step(say('unset', { variable }), unsetCommand(variable, platform));
}

export function unsetCommand(variable: string, platform: string): string {
  return platform === 'win32' ? `Remove-Item Env:${variable}` : `unset ${variable}`;
}
