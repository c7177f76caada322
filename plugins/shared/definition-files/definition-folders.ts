import { defineFact, type Kernel } from '../../../kernel/index.ts';

/** The folders from which a plugin reads definitions. `packages`: those of installed packages, found by search. */
export type DefinitionFolders = { readonly holds: 'tools' | 'skills'; readonly paths: readonly string[] } | { readonly holds: 'packages' };

/** Stated by each plugin that reads definitions of the operator or of packages. Paths as in the options: relative ones begin at `api.cwd`. */
export const definitionFolders = defineFact<DefinitionFolders>('folders of definitions');

/** Returns the folders and files of the operator's tools, as the options name them. */
export function toolPathsIn(kernel: Pick<Kernel, 'facts'>): readonly string[] {
  return kernel.facts(definitionFolders).flatMap(({ value }) => (value.holds === 'tools' ? value.paths : []));
}
