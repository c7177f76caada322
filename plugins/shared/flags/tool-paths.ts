import type { CommandFlag } from '../../../kernel/index.ts';
import { parsePaths } from './values.ts';

export const toolPathsFlag: CommandFlag = {
  flag: '--tool-paths <paths>',
  description: 'comma-separated directories with your own tools',
  parse: parsePaths,
};

/** Returns the options that `--tool-paths`, or a record of it, overrides in the configuration. */
export function toolPathsOf({ toolPaths }: { readonly toolPaths?: unknown }): Record<string, Readonly<Record<string, unknown>>> {
  return toolPaths === undefined ? {} : { 'tool-files': { toolPaths } };
}
