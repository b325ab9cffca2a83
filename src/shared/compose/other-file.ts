import { BenchmarkError } from '../errors.ts';
import { msg } from '../message.ts';

type OtherFile =
  | 'workflow'
  | 'quadlet'
  | 'script'
  | 'dockerfile'
  | 'devcontainer'
  | 'kubernetes'
  | 'wpEnv'
  | 'inspect'
  | 'source'
  | 'options';

/** Paths have slashes. */
const NAMES: [pattern: RegExp, kind: OtherFile][] = [
  [/(?:^|\/)\.(?:github|gitea|forgejo)\/workflows\/[^/]+$/, 'workflow'],
  [/(?:^|\/)(?:\.gitlab-ci|bitbucket-pipelines|azure-pipelines|\.travis|\.drone)\.ya?ml$/, 'workflow'],
  [/(?:^|\/)(?:\.circleci\/config|\.woodpecker|\.woodpecker\/[^/]+|\.buildkite\/[^/]+)\.ya?ml$/, 'workflow'],
  [/\.(?:container|pod|kube|volume|quadlets)$/, 'quadlet'],
  [/(?:^|\/)(?:Chart|values(?:[.-][\w.-]+)?|kustomization)\.ya?ml$/, 'kubernetes'],
  [/(?:^|\/)(?:Dockerfile|Containerfile)(?:\.[^/]*)?$|\.dockerfile$/i, 'dockerfile'],
  [/(?:^|\/)\.?devcontainer\.json$/, 'devcontainer'],
  [/\.(?:java|kts?|scala|groovy|cs|go|rs|py|rb|php|[cm]?[jt]sx?)$/, 'source'],
  [/(?:^|\/)\.wp-env(?:\.override)?\.json$/, 'wpEnv'],
];

/** A file of the kind has a line for each pattern. */
const CONTENTS: [kind: OtherFile, ...lines: RegExp[]][] = [
  ['workflow', /^jobs:/m],
  ['quadlet', /^\[(?:Container|Pod|Kube|Volume)\][ \t\r]*$/m],
  ['options', /^\[(?:mysqld|mariadbd?|server)[\w.-]*\][ \t\r]*$/m],
  ['inspect', /^\s*[[{]/, /"Config"[ \t]*:/, /"(?:Image|RepoTags)"[ \t]*:/],
  ['kubernetes', /^[ \t]*"?apiVersion"?[ \t]*:/m, /^[ \t]*"?kind"?[ \t]*:/m],
  ['devcontainer', /^[ \t]*"(?:dockerComposeFile|postCreateCommand|remoteUser)"[ \t]*:/m],
  [
    'script',
    /^[ \t]*[@-]?(?:ExecStart=|exec[ \t]+|sudo[ \t]+|[$][ \t])?(?:\/\w+(?:\/\w+){0,2}\/)?(?:docker|podman|nerdctl)(?:\.exe)?[ \t]+(?:container[ \t]+)?(?:run|create)\b/m,
  ],
];

/** Undefined: a Compose file, or unknown. */
export function whatItIs(name: string, text: string): OtherFile | undefined {
  const path = name.replaceAll('\\', '/');
  const named = NAMES.find(([pattern]) => pattern.test(path));
  if (named !== undefined) return named[1];
  // A Compose file may have any of these lines in a text.
  if (/^(?:services|include)\s*:/m.test(text)) return undefined;
  if (isDockerfile(text)) return 'dockerfile';
  return CONTENTS.find(([, ...lines]) => lines.every((line) => line.test(text)))?.[0];
}

function isDockerfile(text: string): boolean {
  const first = text.split('\n').find((line) => !/^\s*(?:#|$|ARG\s)/i.test(line));
  return first !== undefined && /^\s*FROM\s+\S/i.test(first);
}

export function otherFile(name: string, text: string): BenchmarkError | undefined {
  const kind = whatItIs(name, text);
  if (kind === undefined) return undefined;
  return new BenchmarkError('COMPOSE_OTHER_FILE', {
    file: name,
    what: msg(`otherFile.${kind}.what`),
    instead: msg(`otherFile.${kind}.instead`),
  });
}
