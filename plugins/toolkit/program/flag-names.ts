import { Command as Commander, Option } from 'commander';
import type { Command } from '../../../kernel/index.ts';
import { addGlobalFlags } from './global-flags.ts';

/** Returns the long flags of the command with this name, without the dashes, and those of every command. */
export function flagNames(commands: readonly Command[], name: string): ReadonlySet<string> {
  const own = commands.find((command) => command.name === name)?.flags ?? [];
  const options = [...own.map(({ flag }) => new Option(flag)), ...addGlobalFlags(new Commander()).options];
  return new Set(['help', 'version', ...options.flatMap(({ long }) => (long == null ? [] : [long.slice(2)]))]);
}
