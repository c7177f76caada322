import { parsePaths } from '../shared/flags/values.ts';
import { migrateCommand } from './migrate/command.ts';

/** Command and flag of the plugin. */
export const toolFilesSurface = {
  commands: [migrateCommand],
  flagTopic: 'tools',
  flags: { toolPaths: { flag: '--tool-paths <paths>', description: 'comma-separated directories with your own tools', parse: parsePaths } },
} as const;
