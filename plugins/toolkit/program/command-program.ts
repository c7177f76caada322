import { Argument, Command as Commander, InvalidArgumentError, Option } from 'commander';
import { type Command, type CommandFlag, type CommandInvocation, type Complete, didYouMean, ToolkitError } from '../../../kernel/index.ts';
import { version } from '../../shared/project/version.ts';
import { firstSentence } from '../../shared/text/first-sentence.ts';
import { terminalLines, visibleText } from '../../shared/text/visible-text.ts';
import { listCandidates } from './completion.ts';
import { addGlobalFlags } from './global-flags.ts';
import type { StandardError } from './standard-error/standard-error.ts';

/** Services of a command, besides its arguments and flags. */
export type CommandServices = Omit<CommandInvocation, 'arguments' | 'flags'>;

const examples = `
Start here:
  toolkit list                 list the tools
  toolkit describe <tool>      show what a tool does and its parameters
  toolkit run <tool> --help    call it from here
  toolkit mcp setup            connect an assistant
  toolkit new tool             write a tool of your own
  toolkit doctor               find problems of this machine or project

--env-file is also a flag of Node, which reads the file first: Node ends with exit code 9 when the file is missing, and applies
NODE_OPTIONS from it. To avoid both, start the program with "node -- <path of toolkit>".`;

/** Builds the commander program with these commands. `write` receives help and version. */
export function commandProgram(commands: readonly Command[], services: CommandServices, errors: StandardError): Commander {
  const { terminal, write } = services;
  const program = addGlobalFlags(new Commander('toolkit'));
  program
    .description('Turns declarative tool definitions into tools that assistants and programs can call safely.')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: write,
      writeErr: (text) => errors.report('error', text),
      // It quotes the typed text, which may come from elsewhere.
      outputError: (text, writeError) => writeError(terminalLines(text)),
      getOutHelpWidth: () => terminal.columns ?? 100,
      getOutHasColors: () => terminal.hasColors,
    })
    .showSuggestionAfterError(true)
    .showHelpAfterError('"toolkit --help" lists the commands.')
    .configureHelp({
      showGlobalOptions: true,
      // Without the flags of a parent command, such as `mcp` of `mcp setup`.
      visibleGlobalOptions: ({ parent }) => (parent === null ? [] : [...program.options]),
    })
    .addHelpText('beforeAll', ({ command }) => refuseUnknownCommand(program, command))
    .addHelpText('after', examples);
  const completers = new Map<Option | Argument, Complete>();
  for (const command of commands) addCommand(program, command, services, completers);
  for (const group of program.commands.filter((own) => own.description() === ''))
    group
      .showHelpAfterError(`"toolkit ${group.name()} --help" lists its commands.`)
      .description(`Commands: ${group.commands.map((own) => `${group.name()} ${own.name()}`).join(', ')}`);
  // Called by the scripts of `toolkit completion`.
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => {
      const found = await listCandidates(program, completers, words, services);
      for (const { value, description } of found) write(`${visibleText(value)}\t${visibleText(description)}\n`);
    });
  return program;
}

function addCommand(program: Commander, command: Command, services: CommandServices, completers: Map<Option | Argument, Complete>): void {
  const sub = commandAt(program, command.name.split(' ')).description(command.description).summary(firstSentence(command.description));
  for (const { name, description, parse, complete } of command.arguments ?? []) {
    const argument = new Argument(name, description);
    if (parse !== undefined) argument.argParser((value) => parseValue(parse, value));
    if (complete !== undefined) completers.set(argument, complete);
    sub.addArgument(argument);
  }
  for (const flag of command.flags ?? []) {
    const option = optionOf(flag);
    if (flag.complete !== undefined) completers.set(option, flag.complete);
    sub.addOption(option);
  }
  if (command.examples !== undefined) sub.addHelpText('after', formatExamples(command.examples));
  sub.showHelpAfterError(`"toolkit ${command.name} --help" shows how it is used.`);
  if (command.takesOtherFlags === true) sub.allowUnknownOption().allowExcessArguments().helpOption(false);
  sub.action(async () => {
    // Without any words, print the usage.
    if (command.takesOtherFlags === true && (sub.args.length === 0 || isHelp(sub.args[0]))) sub.help({ error: sub.args.length === 0 });
    await command.run({ ...services, arguments: sub.args, flags: { ...sub.opts(), ...parentFlags(sub) } });
  });
}

/**
 * Returns the flags of a command such as `mcp setup` that `mcp` has too: commander always assigns them to the parent. Refuses flags that only the
 * parent has.
 */
function parentFlags(sub: Commander): Record<string, unknown> {
  const { parent } = sub;
  if (parent?.parent == null) return {};
  const parentOptions = parent.options.filter((option) => parent.getOptionValueSource(option.attributeName()) === 'cli');
  const unknownFlag = parentOptions.find((option) => !sub.options.some((own) => own.attributeName() === option.attributeName()));
  if (unknownFlag !== undefined) sub.error(`error: unknown option '${unknownFlag.long ?? unknownFlag.flags}'`);
  return Object.fromEntries(parentOptions.map((option) => [option.attributeName(), parent.getOptionValue(option.attributeName())]));
}

/**
 * Refuses help on an unknown command, with the exit code of that command without `--help`: scripts use it to test whether a command exists. Returns an
 * empty text for the help of a known command.
 */
function refuseUnknownCommand(program: Commander, helpCommand: Commander): string {
  const isByWord = program.args[0] === 'help';
  let [at, words] = isByWord ? [program, program.args.slice(1)] : [helpCommand, helpCommand.args.filter((word) => !isHelp(word))];
  for (;;) {
    const [word = '', ...rest] = words;
    const next = at.commands.find((command) => command.name() === word);
    if (next === undefined) {
      const isName = at.commands.length > 0 && at.registeredArguments.length === 0 && /^(?!help$)[^-]/.test(word);
      if (isName) at.error(`error: unknown command '${word}'.${didYouMean(word, visibleNames(at))}`);
      return '';
    }
    [at, words] = [next, rest];
  }
}

function visibleNames(command: Commander): readonly string[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((own) => own.name());
}

function isHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h';
}

function optionOf({ flag, description, default: byDefault, parse = (value) => value, repeats = false }: CommandFlag): Option {
  const option = new Option(flag, description);
  if (byDefault !== undefined) option.default(byDefault);
  if (option.isBoolean()) return option;
  return option.argParser((value, former: unknown) => {
    const own = parseValue(parse, value);
    return repeats ? [...(Array.isArray(former) ? former : []), own] : own;
  });
}

function formatExamples(lines: NonNullable<Command['examples']>): string {
  return ['', 'Examples:', ...lines.map(({ line, does }) => `  ${line}\n      ${does}`)].join('\n');
}

/** Returns the command at a path; creates missing groups on the way. */
function commandAt(parent: Commander, [name = '', ...rest]: readonly string[]): Commander {
  const own = parent.commands.find((command) => command.name() === name) ?? parent.command(name);
  return rest.length === 0 ? own : commandAt(own, rest);
}

function parseValue(parse: (value: string) => unknown, value: string): unknown {
  try {
    return parse(value);
  } catch (error) {
    throw new InvalidArgumentError(ToolkitError.is(error) ? error.message : String(error));
  }
}
