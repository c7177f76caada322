import type { PluginCheck } from '../../kernel/index.ts';

/** Check of the configured folders: one without a definition is easily overlooked. */
export const toolFolderChecks: readonly PluginCheck<{ readonly toolPaths?: readonly string[] }>[] = [
  {
    name: 'Tool folders',
    async run({ toolPaths = [] }, services) {
      const { checkDefinitionFolders } = await import('../shared/checks/check-definition-folders.ts');
      return checkDefinitionFolders('toolPaths', toolPaths, services);
    },
  },
];
