import type { GeneratedSource, GeneratedTool } from '../../../../plugins/openapi/generate/generated.ts';
import type { DocumentSource } from '../../../../plugins/openapi/options.ts';
import { generatedFrom } from './generated-from.ts';

/** Members of a document of 3.0, beside its `paths`. */
export interface DocumentParts {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** Makes the source "shop" of a document of 3.0 with a server. */
export function shopOf(parts: DocumentParts, source: Partial<DocumentSource> = {}): Promise<GeneratedSource> {
  return generatedFrom(parts, { source });
}

/** Makes the tool of one operation, which is `GET /things` where nothing else is said. */
export async function toolOf(
  operation: Readonly<Record<string, unknown>>,
  {
    path = '/things',
    method = 'get',
    ...parts
  }: { readonly path?: string; readonly method?: string; readonly [member: string]: unknown } = {},
  source: Partial<DocumentSource> = {},
): Promise<GeneratedTool> {
  const { tools, skipped } = await shopOf(
    { ...parts, paths: { [path]: { [method]: { responses: { 204: { description: 'Done' } }, ...operation } } } },
    source,
  );
  const [tool] = tools;
  if (tool === undefined) throw new Error(`left out: ${JSON.stringify(skipped)}`);
  return tool;
}

/** Returns the execution of a tool without its type, method and URL. */
export function sentBy({ definition }: GeneratedTool): Readonly<Record<string, unknown>> {
  const { type: _type, method: _method, url: _url, ...sent } = definition['execution'] as Record<string, unknown>;
  return sent;
}
