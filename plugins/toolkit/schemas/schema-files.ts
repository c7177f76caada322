import { createKernel, createLogger, type JsonSchema } from '../../../kernel/index.ts';
import { standard } from '../standard.ts';
import { configSchema, type PluginModules } from './config-schema.ts';
import { providerSchema, toolSchema } from './definition-schemas.ts';

/** Returns the files that the build writes to `dist/schemas`: the schemas of definition and configuration files for the standard plugins. */
export async function schemaFiles(modules: PluginModules): Promise<Readonly<Record<string, JsonSchema>>> {
  const kernel = await createKernel({
    plugins: standard({ includeCore: false, autoDiscover: false }),
    logger: createLogger({ level: 'error' }),
  });
  const { linkOptions } = kernel;
  await kernel.close();
  return {
    'tool.schema.json': toolSchema(linkOptions),
    'provider.schema.json': providerSchema(linkOptions),
    'config.schema.json': configSchema(modules),
  };
}
