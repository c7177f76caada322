import type { Command, Plugin } from '../../../kernel/index.ts';
import { builtInSurfaces } from './built-in-surfaces.ts';
import { withOptionFlags } from './option-flags.ts';

/** First words of the built-in commands, in the order of the help. */
const words: readonly string[] = [
  'mcp',
  'dev',
  'list',
  'search',
  'describe',
  'tokens',
  'run',
  'worker',
  'calls',
  'approvals',
  'console',
  'new',
  'validate',
  'migrate',
  'test',
  'types',
  'explain',
  'secrets',
  'auth',
  'tools',
  'lock',
  'accept',
  'plugins',
  'doctor',
  'openapi',
  'upstream',
  'host',
  'audit',
  'completion',
];

/** Returns the commands of these plugins, which the configuration lists, and of the built-in ones that are not among them, in the order of the help; those of others come last. */
export function listedCommands(plugins: readonly Plugin[]): readonly Command[] {
  const builtIn = builtInSurfaces();
  const others = builtIn.filter((surface) => !plugins.some(({ name }) => name === surface.name));
  // In one order with and without a configuration, which the help shows.
  const order = builtIn.map(({ name }) => name);
  const all = [...plugins, ...others].sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  const listed = new Set(plugins.map(({ name }) => name));
  const commands = all.flatMap((plugin) => plugin.commands ?? []).map((command) => withOptionFlags(command, all, listed));
  return commands.sort((one, other) => positionOf(one) - positionOf(other));
}

function positionOf({ name }: Command): number {
  const index = words.indexOf(name.split(' ')[0] ?? '');
  return index === -1 ? words.length : index;
}
