import type { DockerTrouble } from '../docker/docker-trouble.ts';
import type { TextKey, TextParams, Translate } from './i18n.ts';
import { productTraits, type Product } from '../kinds/engines.ts';
import type { DockerFacts } from '../model/passport.ts';

interface GuideStep {
  text: string;
  command: string | null;
  engines?: { id: string; label: string }[];
}

interface DockerGuide {
  title: string;
  lead: string;
  steps: GuideStep[];
}

type GuideKey = Extract<TextKey, `ui:guide.${string}`> extends `ui:guide.${infer Rest}` ? Rest : never;
type Say = (key: GuideKey, params?: TextParams) => string;

export function dockerGuide(trouble: DockerTrouble, facts: DockerFacts, t: Translate): DockerGuide {
  const say: Say = (key, params) => t(`ui:guide.${key}`, params);
  switch (trouble.state) {
    case 'not-installed':
      return notInstalled(facts, say);
    case 'stopped':
      return stopped(trouble.product, facts, say);
    case 'starting':
      return starting(trouble.product, facts, say, t('ui:compare.field.runtime'));
    case 'forbidden':
      return { title: say('forbidden.title'), ...forbidden(trouble, facts, say) };
    case 'paused':
      return {
        title: say('paused.title'),
        lead: say(trouble.byUser ? 'paused.leadUser' : 'paused.lead'),
        steps: [
          step(say('paused.resume')),
          step(say('paused.restart'), 'docker desktop restart'),
          step(say('paused.saver')),
        ],
      };
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
          another(trouble.variable, facts, say),
        ],
      };
    case 'broken-context':
      return {
        title: say('brokenContext.title', { label: trouble.label }),
        lead: say('brokenContext.lead'),
        steps: [
          step(say('brokenContext.list'), 'docker context ls'),
          another(trouble.variable, facts, say, 'brokenContext.use'),
          step(say('brokenContext.start')),
        ],
      };
    case 'remote-unreachable':
      return {
        title: say('remote.title', { label: trouble.label }),
        lead: say('remote.lead'),
        steps: [
          step(say('remote.on')),
          ...(trouble.trial === null ? [] : [step(say('remote.trial'), trouble.trial)]),
          another(trouble.variable, facts, say, 'remote.context'),
        ],
      };
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

function notInstalled({ platform, user, wsl, hasCommand }: DockerFacts, say: Say): DockerGuide {
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

function stopped(product: Product | null, { platform, services }: DockerFacts, say: Say): DockerGuide {
  const wait = step(say('stopped.wait'));
  if (product === null) {
    return {
      title: say('stopped.titleUnknown'),
      lead: say('stopped.leadUnknown'),
      steps: [step(say('stopped.startUnknown')), wait],
    };
  }
  const { name, start } = productTraits(product);
  const hasLog = product === 'docker-engine' && services === 'systemd';
  return {
    title: say('stopped.title', { name }),
    lead: say('stopped.lead'),
    steps: [
      step(say('stopped.start', { name }), start(platform, services)),
      wait,
      ...(hasLog ? [step(say('stopped.log'), 'journalctl -u docker --no-pager -n 50')] : []),
    ],
  };
}

function starting(
  product: Product | null,
  { platform, services }: DockerFacts,
  say: Say,
  anEngine: string,
): DockerGuide {
  const traits = product === null ? null : productTraits(product);
  return {
    title: say('starting.title', { name: traits?.name ?? anEngine }),
    lead: say('starting.lead'),
    steps: [
      step(say('starting.wait')),
      ...(product === 'docker-desktop' ? [step(say('starting.dialog'))] : []),
      step(say('starting.restart'), traits?.restart(platform, services)),
    ],
  };
}

/** Steps name the socket's real group, mostly `docker`. */
function forbidden(
  { path, socket }: Extract<DockerTrouble, { state: 'forbidden' }>,
  { platform, user }: DockerFacts,
  say: Say,
): Omit<DockerGuide, 'title'> {
  const again = step(say('forbidden.again'));
  if (platform === 'win32') {
    const join = step(say('forbidden.joinPipe'), `net localgroup docker-users "${user}" /add`);
    return { lead: say('forbidden.leadPipe'), steps: [join, again] };
  }
  if (socket === null || socket.group === 'root' || socket.group === 'wheel' || !socket.openToGroup) {
    const command = `sudo groupadd -f docker && ${joinGroup('docker', user)} && sudo systemctl restart docker`;
    return {
      lead: say('forbidden.leadRoot', { path }),
      steps: [step(say('forbidden.make'), command), again],
    };
  }
  const { group, isMember } = socket;
  return {
    lead: say(isMember ? 'forbidden.leadMember' : 'forbidden.lead', { path, group, user }),
    steps: isMember
      ? [again, step(say('forbidden.groups'), 'id -nG')]
      : [step(say('forbidden.join'), joinGroup(group, user)), again, step(say('forbidden.careful'))],
  };
}

function joinGroup(group: string, user: string): string {
  return `sudo usermod -aG ${group} ${user === '' ? '"$USER"' : user}`;
}

/** Without a variable, `key` is about the current context. */
function another(
  variable: string | null,
  { platform }: DockerFacts,
  say: Say,
  key: GuideKey = 'brokenContext.use',
): GuideStep {
  return variable === null
    ? step(say(key), 'docker context use default')
    : step(say('unset', { variable }), unsetCommand(variable, platform));
}

export function unsetCommand(variable: string, platform: string): string {
  return platform === 'win32' ? `Remove-Item Env:${variable}` : `unset ${variable}`;
}
