import { type CommandInvocation, createLogger, didYouMean, excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { DocumentSource } from '../options.ts';
import { configuredSources, withoutSources } from './without-sources.ts';

/** Returns the sources of the configuration by name, without listing them. */
export async function configuredSourcesOf({
  createKernel,
}: Pick<CommandInvocation, 'createKernel'>): Promise<Readonly<Record<string, DocumentSource>>> {
  let sources: Readonly<Record<string, DocumentSource>> = {};
  const kernel = await createKernel({}, (options) => {
    sources = configuredSources(options.plugins);
    return { ...options, logger: createLogger({ level: 'silent' }), plugins: withoutSources(options.plugins) };
  });
  await kernel.close();
  return sources;
}

/** Returns a source of the configuration. Throws INVALID_PARAMETERS for an unknown name. */
export async function configuredSource(invocation: Pick<CommandInvocation, 'createKernel'>, name: string): Promise<DocumentSource> {
  const sources = await configuredSourcesOf(invocation);
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (source !== undefined) return source;
  const names = Object.keys(sources);
  const advice = names.length === 0 ? ' The configuration has none yet: toolkit openapi add <document>' : didYouMean(name, names);
  throw new ToolkitError('INVALID_PARAMETERS', `There is no source "${excerpt(name, 60)}" of the plugin openapi.${advice}`);
}
