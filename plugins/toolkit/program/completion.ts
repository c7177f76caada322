import type { Argument, Command as Commander, Option } from 'commander';
import type { CommandInvocation, Complete } from '../../../kernel/index.ts';

export interface Candidate {
  /** Text that replaces the word at the cursor. */
  readonly value: string;
  readonly description: string;
}

/** Sources of values, by flag or argument. */
export type Completers = ReadonlyMap<Option | Argument, Complete>;

type Invocation = Pick<CommandInvocation, 'createKernel'>;

/** Returns completions of the last word, which may be empty. Empty when only the shell knows them, as for files. */
export async function listCandidates(
  program: Commander,
  completers: Completers,
  words: readonly string[],
  invocation: Invocation,
): Promise<readonly Candidate[]> {
  const typed = words.at(-1) ?? '';
  const { command, words: positionals, pending } = walk(program, words.slice(0, -1));
  const assignment = /^(--[^=]+)=(.*)$/s.exec(typed);
  const option = pending ?? optionOf(command, assignment?.[1]);
  if (option !== undefined) {
    const values = await valuesOf(completers.get(option), assignment?.[2] ?? typed, invocation);
    return assignment === null || pending !== undefined
      ? values
      : values.map(({ value, description }) => ({ value: `${assignment[1]}=${value}`, description }));
  }
  if (typed.startsWith('-')) return flagsOf(command).filter(({ value }) => value.startsWith(typed));
  const names = positionals === 0 ? command.createHelp().visibleCommands(command) : [];
  const commands = names.map((sub) => ({ value: sub.name(), description: sub.summary() || sub.description() }));
  const argument = command.registeredArguments[positionals] ?? command.registeredArguments.findLast(({ variadic }) => variadic);
  const values = argument === undefined ? [] : await valuesOf(completers.get(argument), typed, invocation);
  return [...commands.filter(({ value }) => value.startsWith(typed)), ...values];
}

interface WalkResult {
  readonly command: Commander;
  /** Number of complete arguments of that command. */
  readonly words: number;
  /** The flag whose value comes next. */
  readonly pending?: Option;
}

function walk(program: Commander, words: readonly string[]): WalkResult {
  let command = program;
  let count = 0;
  let pending: Option | undefined;
  for (const word of words) {
    if (pending !== undefined) {
      pending = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      const option = optionOf(command, word);
      pending = option?.required === true ? option : undefined;
      continue;
    }
    const sub = count === 0 ? command.commands.find((own) => own.name() === word) : undefined;
    if (sub === undefined) count += 1;
    command = sub ?? command;
  }
  return { command, words: count, ...(pending === undefined ? {} : { pending }) };
}

function optionOf(command: Commander, word: string | undefined): Option | undefined {
  return word === undefined ? undefined : optionsOf(command).find(({ long, short }) => word === long || word === short);
}

/** Returns the options of the command and those of all commands. */
function optionsOf(command: Commander): Option[] {
  return [...command.options, ...(command.parent === null ? [] : optionsOf(command.parent))];
}

function flagsOf(command: Commander): Candidate[] {
  const help = { value: '--help', description: 'display help for command' };
  return [...optionsOf(command).map(({ long, description }) => ({ value: long ?? '', description })), help];
}

/** Returns matching values. In a comma-separated list, the last entry is completed. */
async function valuesOf(complete: Complete | undefined, typed: string, invocation: Invocation): Promise<Candidate[]> {
  if (complete === undefined) return [];
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  const known = await complete(invocation);
  return known.map((name) => ({ value: `${before}${name}`, description: '' })).filter(({ value }) => value.startsWith(typed));
}
