import type { CommandFlag } from '../../../kernel/index.ts';
import { parsePaths } from './values.ts';

export const toolPathsFlag: CommandFlag = {
  flag: '--tool-paths <paths>',
  description: 'comma-separated directories with your own tools',
  parse: parsePaths,
};

/** Returns the options that the flag overrides in the configuration. */
export function toolPathsOf(flags: Readonly<Record<string, unknown>>): Record<string, Readonly<Record<string, unknown>>> {
  return flags['toolPaths'] === undefined ? {} : { 'tool-files': { toolPaths: flags['toolPaths'] } };
}
