import type { PluginCheck } from '../../kernel/index.ts';

/** Check of the configured folders: one without a definition is easily overlooked. */
export const skillFolderChecks: readonly PluginCheck<{ readonly skillPaths?: readonly string[] }>[] = [
  {
    name: 'Skill folders',
    async run({ skillPaths = [] }, services) {
      const { checkDefinitionFolders } = await import('../shared/checks/check-definition-folders.ts');
      return checkDefinitionFolders('skillPaths', skillPaths, services);
    },
  },
];
