import type { LinkOptions } from '../definition/link/link.ts';
import type { LinkResult, ToolLinkResult } from '../definition/link/link-result.ts';
import type { LinkedTool } from '../definition/link/linked-tool.ts';
import { RegistryBuilder } from '../definition/registry/registry-builder.ts';
import type { Prompt, Resource, ResourceTemplate } from '../definition/resources/resource.ts';
import { type ResourcesAndPrompts, ResourcesAndPromptsBuilder } from '../definition/resources/resources-and-prompts.ts';
import type { Origin, OriginSource } from '../definition/schema/origin.ts';
import type { Problem } from '../definition/schema/problem.ts';
import type { Derivation, Provider } from '../definition/schema/tool.ts';
import type { LinkedSource, ToolForms } from './linked-source.ts';
import type { SourceItem } from './listing.ts';
import { formsOf } from './listing-cache.ts';
import { refusalOfExecution, refusalOfProvider, refusalOfTool } from './source-refusals.ts';

interface LinkedBy {
  readonly plugin: string;
  readonly source: OriginSource;
  /** Derivations whose values are cached with the tools. */
  readonly derivations: readonly Derivation[];
}

/**
 * Checks and links the listed definitions of a source, like those of a package, and leaves out those that a source must not have. `forms`: the link
 * results to cache; undefined when something must be linked at each start.
 */
export async function linkSource(
  items: readonly SourceItem[],
  { plugin, source, derivations }: LinkedBy,
  language: LinkOptions,
): Promise<LinkedSource & { readonly forms: ToolForms | undefined }> {
  const toolForms = new Map<string, ToolLinkResult>();
  const lastingProviders = new Set<string>();
  const refused: Problem[] = [];
  const refuse = (message: string, tool?: string): boolean => {
    const named = tool === undefined ? {} : { tool };
    refused.push({ severity: 'error', code: 'TOOL_INVALID', plugin, message: `the source "${source.name}" lists ${message}`, ...named });
    return false;
  };
  const builder = new RegistryBuilder(language);
  const contribution = builder.contribution();
  const origin: Omit<Origin, 'plugin'> = { trust: 'package', source };
  const sink = contribution.sinkOf(plugin);
  for (const derivation of derivations) sink.derive(derivation);
  for (const { kind, name, definition, provider } of items) {
    const why = kind === 'tool' ? refusalOfExecution(definition, source) : undefined;
    const read = (): undefined => undefined;
    if (why !== undefined) refuse(`the tool "${name}", which ${why}`, name);
    else if (kind === 'provider')
      sink.addCached({ kind, read, definition: () => definition, store: () => void lastingProviders.add(name) }, origin);
    else if (kind === 'tool') {
      const store = (_key: string, form: LinkResult): void => void toolForms.set(name, form as ToolLinkResult);
      sink.addCached({ kind, read, definition: () => definition, store }, origin, provider);
    }
  }
  builder.take(contribution);
  const { tools, providers, problems } = await builder.build();
  const isOwnProvider = (provider: Provider): boolean => {
    const why = refusalOfProvider(provider, source);
    return why === undefined || refuse(`the provider "${provider.name}", which ${why}`);
  };
  const kept = new Map([...providers].filter(([, provider]) => isOwnProvider(provider)));
  const isOwnTool = (tool: LinkedTool): boolean => {
    if (tool.provider !== undefined && !kept.has(tool.provider.name)) return false;
    const why = refusalOfTool(tool, source);
    return why === undefined || refuse(`the tool "${tool.name}", which ${why}`, tool.name);
  };
  const own = new Map([...tools].filter(([, tool]) => isOwnTool(tool)));
  const linked = { tools: own, providers: kept, problems: [...problems.map((problem) => ofSource(problem, source.name)), ...refused] };
  return { ...linked, forms: formsOf(linked, toolForms, lastingProviders) };
}

/** Returns the resources, templates and prompts of a source, each with the source's name. */
export function readableOf(
  items: readonly SourceItem[],
  plugin: string,
  source: string,
): Omit<ResourcesAndPrompts, 'skills'> & {
  readonly problems: readonly Problem[];
} {
  const builder = new ResourcesAndPromptsBuilder();
  for (const { kind, value } of items) {
    if (kind === 'resource') builder.addResource({ ...(value as Resource), source }, plugin);
    if (kind === 'resource template') builder.addResourceTemplate({ ...(value as ResourceTemplate), source }, plugin);
    if (kind === 'prompt') builder.addPrompt({ ...(value as Prompt), source }, plugin);
  }
  const problems: Problem[] = [];
  const { resources, resourceTemplates, prompts } = builder.build(problems);
  return { resources, resourceTemplates, prompts, problems: problems.map((problem) => ofSource(problem, source)) };
}

/** Adds the source and the tool to the message of a problem. */
export function ofSource(problem: Problem, source: string): Problem {
  const tool = problem.tool === undefined ? '' : `, tool "${problem.tool}"`;
  return { ...problem, message: `the source "${source}"${tool}: ${problem.message}` };
}
