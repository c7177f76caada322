import { type CatalogueProvider, type CatalogueTool, readCatalogue } from './catalogue.ts';
import { type Operation, readDescription } from './description.ts';
import type { SourceFolders } from './source-folders.ts';

/** A tool that sends requests, with the operation that it calls. */
export interface DescribedTool {
  readonly provider: CatalogueProvider;
  readonly tool: CatalogueTool;
  readonly operation: Operation;
}

export interface Sources {
  readonly providers: readonly CatalogueProvider[];
  readonly described: readonly DescribedTool[];
}

/** The catalogue with the operations of its tools. Throws where an operation is in no description. */
export function readSources({ specs, catalogue }: SourceFolders): Sources {
  const providers = readCatalogue(catalogue);
  const described = providers.flatMap((provider) => {
    const tools = provider.tools.filter(({ type }) => type === 'http');
    const operations = tools.length === 0 ? new Map<string, Operation>() : readDescription(specs, provider.name);
    return tools.map((tool) => {
      const operation = operations.get(tool.operation_id ?? '');
      if (operation === undefined) throw new Error(`${provider.name}.json has no operation "${tool.operation_id}" for ${tool.name}.`);
      return { provider, tool, operation };
    });
  });
  return { providers, described };
}
