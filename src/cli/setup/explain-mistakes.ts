import { Argument, type Command, InvalidArgumentError } from 'commander';

/** Has every command show its usage after a mistake, and say which of its own commands was probably meant. */
export function explainMistakes(command: Command, path = command.name()): void {
  command.showHelpAfterError(`Usage: ${path} ${command.usage()}\nAdd --help to see how to use it.`);
  for (const child of command.commands) {
    explainMistakes(child, `${path} ${child.name()}`);
    if (command.parent !== null && child.name() === 'list') refuseUnknownCommands(child, command);
  }
}

/** An argument that is one of some names. */
export function oneOf(name: string, description: string, names: readonly string[]): Argument {
  return new Argument(name, description).choices(names).argParser((given: string) => {
    if (names.includes(given)) return given;
    throw new InvalidArgumentError(`Allowed choices are ${names.join(', ')}.${didYouMean(given, names)}`);
  });
}

// The list is also what runs without a command, so that a mistyped one comes to it as an argument.
function refuseUnknownCommands(list: Command, parent: Command): void {
  const names = parent.commands.map((child) => child.name());
  list.allowExcessArguments().hook('preAction', () => {
    const [word] = list.args;
    if (word !== undefined) parent.error(`error: unknown command '${word}'${didYouMean(word, names)}`);
  });
}

function didYouMean(wrong: string, names: readonly string[]): string {
  // There are few names: who mistypes one mostly has its beginning or a part of it right.
  const start = wrong.slice(0, 2);
  const meant = names.find((name) => name.includes(wrong)) ?? names.find((name) => name.startsWith(start));
  return meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
}
