import type { Command, Plugin } from '../../../kernel/index.ts';
import { builtInSurfaces } from './built-in-surfaces.ts';

/** First words of the built-in commands, in the order of the help. */
const order: readonly string[] = [
  'mcp',
  'dev',
  'list',
  'search',
  'describe',
  'tokens',
  'run',
  'worker',
  'calls',
  'new',
  'validate',
  'migrate',
  'test',
  'types',
  'explain',
  'secrets',
  'tools',
  'plugins',
  'doctor',
  'openapi',
  'upstream',
  'host',
  'audit',
  'completion',
];

/** Returns the commands of these plugins and of the built-in ones that are not among them, in the order of the help; those of others come last. */
export function listedCommands(plugins: readonly Plugin[]): readonly Command[] {
  const others = builtInSurfaces().filter((surface) => !plugins.some(({ name }) => name === surface.name));
  const commands = [...plugins, ...others].flatMap((plugin) => plugin.commands ?? []);
  return commands.sort((one, other) => positionOf(one) - positionOf(other));
}

function positionOf({ name }: Command): number {
  const index = order.indexOf(name.split(' ')[0] ?? '');
  return index === -1 ? order.length : index;
}
