import { Argument, type Command, type Option } from 'commander';
import { readList } from '../../client/lists.ts';
import { action, type Context } from '../setup/context.ts';

const HIDDEN = '__complete';
// A person waits for the answer between two keys.
const PATIENCE_MS = 2_000;

/** The scripts with which shells ask this program for completions. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_switchboard() {
  local IFS=$'\\n'
  COMPREPLY=($(switchboard ${HIDDEN} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _switchboard switchboard`,
  zsh: `#compdef switchboard
_switchboard() {
  local -a found
  found=("\${(@f)$(switchboard ${HIDDEN} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
compdef _switchboard switchboard`,
  fish: `complete -c switchboard -f -a '(switchboard ${HIDDEN} -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
};

/** `switchboard completion`: scripts for shells. */
export function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .summary('print what makes a shell complete commands')
    .description('Prints what makes a shell complete commands, options and methods.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      `
Examples:
  source <(switchboard completion bash)                                    in ~/.bashrc
  source <(switchboard completion zsh)                                     in ~/.zshrc
  switchboard completion fish > ~/.config/fish/completions/switchboard.fish`,
    )
    .action(action(({ out }, shell: string) => out.line(SCRIPTS[shell] ?? '')));
  program
    .command(HIDDEN, { hidden: true })
    .argument('[words...]')
    .action(
      action(async (context, words: string[]) => {
        const last = words.at(-1) ?? '';
        const found = await complete(program, words.slice(0, -1), last, () => listMethods(context));
        for (const word of found) if (word.startsWith(last)) context.out.line(word);
      }),
    );
}

/** The completions after some words. */
async function complete(
  program: Command,
  before: readonly string[],
  last: string,
  methods: () => Promise<string[]>,
): Promise<string[]> {
  const { command, given, awaiting } = readWords(program, before);
  if (awaiting !== undefined) return awaiting.argChoices ?? [];
  if (last.startsWith('-')) {
    const options = [...command.options, ...program.options].filter((option) => !option.hidden);
    return [...new Set(['--help', ...options.map(({ long }) => long ?? '')])];
  }
  const names =
    given === 0 ? command.commands.map((each) => each.name()).filter((name) => name !== HIDDEN) : [];
  const argument = command.registeredArguments[given];
  const isMethod = given === 0 && ['call', 'methods'].includes(command.name());
  return [...names, ...(argument?.argChoices ?? []), ...(isMethod ? await methods() : [])];
}

/** The command that the words select, its number of arguments, and the option that needs a value next. */
function readWords(program: Command, words: readonly string[]) {
  let command = program;
  let given = 0;
  let awaiting: Option | undefined;
  for (const word of words) {
    if (awaiting !== undefined) awaiting = undefined;
    else if (word.startsWith('-')) {
      const option = [...command.options, ...program.options].find(({ long, short }) =>
        [long, short].includes(word),
      );
      awaiting = option?.required || option?.optional ? option : undefined;
    } else {
      const next = command.commands.find((each) => [each.name(), ...each.aliases()].includes(word));
      if (next === undefined) given += 1;
      else command = next;
    }
  }
  return { command, given, awaiting };
}

async function listMethods({ http }: Context): Promise<string[]> {
  const names: string[] = [];
  const limits = { attempts: 1, timeoutMs: PATIENCE_MS };
  for await (const { name } of readList<{ name: string }>(http, '/v1/methods', { executed: 'true' }, limits))
    names.push(name);
  return names;
}
