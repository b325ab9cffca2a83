export const SHELLS = ['bash', 'zsh', 'fish'] as const;

interface Completed {
  name(): string;
  description(): string;
  commands: readonly Completed[];
  options: readonly { long?: string | undefined; description: string }[];
}

/** For a shell to source; completes commands, options, and file names. */
export function completionScript(shell: (typeof SHELLS)[number], program: Completed): string {
  return shell === 'fish' ? fishScript(program) : bashScript(program, shell === 'zsh');
}

function wordsOf({ commands, options }: Completed): string {
  const names = commands.map((command) => command.name());
  return [...names, ...options.map(({ long = '' }) => long), '--help'].join(' ');
}

function bashScript(program: Completed, isZsh: boolean): string {
  const cases = program.commands.map((command) => `    ${command.name()}) words="${wordsOf(command)}" ;;`);
  return `${isZsh ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_whalemark() {
  local words="${wordsOf(program)}"
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _whalemark whalemark`;
}

function fishScript(program: Completed): string {
  const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
  return program.commands
    .flatMap((command) => [
      `complete -c whalemark -n __fish_use_subcommand -a ${command.name()} -d ${quoted(command.description())}`,
      ...command.options.map(
        ({ long = '', description }) =>
          `complete -c whalemark -n '__fish_seen_subcommand_from ${command.name()}' -l ${long.slice(2)} -d ${quoted(description)}`,
      ),
    ])
    .join('\n');
}
