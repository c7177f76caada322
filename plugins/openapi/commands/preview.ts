import Type from 'typebox';
import {
  type AdaptableOptions,
  apiVersion,
  type CommandInvocation,
  createLogger,
  definePlugin,
  type Kernel,
  type Problem,
  type Tool,
  ToolkitError,
} from '../../../kernel/index.ts';
import { listTools } from '../accepted/list-tools.ts';
import type { LoadedSource, LoadRequest } from '../loaded-source.ts';
import type { DocumentSource } from '../options.ts';
import { configuredSources, withoutSources } from './without-sources.ts';

/** Creates the kernel. Throws INVALID_PARAMETERS for the name of a source that cannot be used. */
async function nextTo(
  createKernel: CommandInvocation['createKernel'],
  adapt: (options: AdaptableOptions) => AdaptableOptions,
): Promise<Kernel> {
  try {
    return await createKernel({}, adapt);
  } catch (error) {
    if (!ToolkitError.is(error) || error.code !== 'PLUGIN_INVALID' || error.details.plugin !== 'openapi') throw error;
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `${error.message.replace(/^Plugin "openapi" adds/, 'This adds')} (--name)`,
      {},
      { cause: error },
    );
  }
}

/** The tools of a source as a kernel of the configuration has them, without other sources. The caller closes the kernel. */
export interface Preview {
  readonly kernel: Kernel;
  readonly loaded: LoadedSource;
  readonly source: DocumentSource;
  /** Usable tools. */
  readonly tools: readonly Tool[];
  /** Reasons why tools of the document cannot be used. */
  readonly problems: readonly Problem[];
}

/**
 * Makes the tools of a document next to those of the configuration. Throws CONFIG_INVALID for a document that cannot be used, and PLUGIN_INVALID
 * for the name of a source that is taken.
 */
export async function preview({ createKernel }: Pick<CommandInvocation, 'createKernel'>, request: LoadRequest): Promise<Preview> {
  const { loadSource } = await import('../load-source.ts');
  const { name, source } = request;
  const loaded = await loadSource(request);
  const shown = definePlugin({
    name: 'openapi',
    apiVersion,
    optionsSchema: Type.Object({ others: Type.Array(Type.String()) }),
    apply({ extend }, { others }) {
      // Their names are taken.
      for (const other of others) extend.source(other, { list() {} });
      extend.source(name, {
        timeoutMs: 60_000,
        executionTypes: ['http'],
        urls: source.server === undefined ? [] : [source.server],
        list: ({ sink }) => listTools(sink, loaded, undefined, name),
      });
    },
  });
  const kernel = await nextTo(createKernel, (options) => ({
    ...options,
    logger: createLogger({ level: 'silent' }),
    plugins: [
      ...withoutSources(options.plugins),
      shown({ others: Object.keys(configuredSources(options.plugins)).filter((other) => other !== name) }),
    ],
  }));
  const { registry } = kernel;
  return {
    kernel,
    loaded,
    source,
    tools: [...registry.tools.values()].filter(({ origin }) => origin.source?.name === name),
    problems: registry.problems.filter(({ plugin }) => plugin === 'openapi'),
  };
}
