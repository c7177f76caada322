import { apiVersion, definePlugin, type Kernel, type Tool } from '../../../../kernel/index.ts';
import { confinePaths } from '../../../../plugins/confine-paths/index.ts';
import { credentialsPlaceholder } from '../../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { generateSource } from '../../../../plugins/openapi/generate/generate-source.ts';
import type { GeneratedSource, GeneratedTool } from '../../../../plugins/openapi/generate/generated.ts';
import type { DocumentSource } from '../../../../plugins/openapi/options.ts';
import { createSchemaConverter } from '../../../../plugins/openapi/schemas/create-schema-converter.ts';
import { validateOutput } from '../../../../plugins/validate-output/index.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { bareKernel } from '../../../support/test-kernel.ts';
import { location, readValue } from '../read-value.ts';

export interface GenerateOptions {
  readonly source?: Omit<DocumentSource, 'document'>;
  readonly names?: ReadonlyMap<string, string>;
  readonly overlay?: unknown;
  readonly xmlExample?: () => string;
}

/** Makes the tools of a document of 3.0 with these members, as the source `shop`. */
export async function generatedFrom(members: object, { source = {}, overlay, ...more }: GenerateOptions = {}): Promise<GeneratedSource> {
  const value = { openapi: '3.0.3', info: { title: 'Shop', version: '1' }, servers: [{ url: 'https://api.test/v1' }], ...members };
  const { document, opened } = await readValue(value, overlay === undefined ? {} : { overlay });
  const schemas = createSchemaConverter({ resolver: opened.resolver, dialect: document.dialect, base: location });
  return generateSource({ name: 'shop', document, schemas, source: { document: location, ...source }, ...more });
}

/** Makes the tool of one operation, `POST /items` unless the path is given, with an answer without content unless it has `responses`. */
export async function toolOf(
  operation: object,
  { at = 'post /items', ...more }: GenerateOptions & { at?: string; members?: object } = {},
): Promise<GeneratedTool> {
  const [method = '', place = ''] = at.split(' ');
  const whole = { responses: { 204: { description: 'Done' } }, ...operation };
  const { tools, skipped } = await generatedFrom({ paths: { [place]: { [method]: whole } }, ...more.members }, more);
  const [tool] = tools;
  if (tool === undefined) throw new Error(`expected one tool: ${JSON.stringify(skipped)}`);
  return tool;
}

/** Returns the execution of a tool. */
export function executionOf({ definition }: GeneratedTool): Readonly<Record<string, unknown>> {
  return definition['execution'] as Readonly<Record<string, unknown>>;
}

/** Returns the execution of a tool without its type, method and URL. */
export function sentBy(tool: GeneratedTool): Readonly<Record<string, unknown>> {
  const { type: _type, method: _method, url: _url, ...sent } = executionOf(tool);
  return sent;
}

/** Returns the properties of the parameters of a tool. */
export function propertiesOf({ definition }: GeneratedTool): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return (definition['input_schema'] as { properties: Record<string, Record<string, unknown>> }).properties;
}

/** Returns the names that callers must give. */
export function requiredOf({ definition }: GeneratedTool): readonly string[] {
  return (definition['input_schema'] as { required?: string[] }).required ?? [];
}

/** Links the tools in a kernel, whose paths are in an own folder. Values of credentials are the names in lower case. */
export async function linked({ provider, tools }: GeneratedSource): Promise<{ kernel: Kernel; tools: readonly Tool[]; folder: string }> {
  const folder = await temporaryFolder();
  const source = definePlugin({
    name: 'shop',
    apiVersion,
    apply({ extend, hooks }) {
      extend.source('shop', {
        trust: 'all',
        executionTypes: ['http'],
        list({ sink }) {
          sink.addProvider(provider);
          for (const { definition } of tools) sink.addTool(definition);
        },
      });
      hooks.resolveSecrets.tap('shop', (secrets) => {
        for (const name of secrets.missing) secrets.provide(name, name.toLowerCase());
      });
    },
  })();
  const kernel = await bareKernel({
    plugins: [executorHttp(), validateOutput(), credentialsPlaceholder(), confinePaths({ roots: [folder] }), source],
  });
  return { kernel, tools: [...kernel.registry.tools.values()].filter(({ origin }) => origin.source !== undefined), folder };
}
