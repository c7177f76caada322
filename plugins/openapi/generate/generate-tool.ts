import { isPlainObject, type JsonObject, type JsonSchema, type JsonValue } from '../../../kernel/index.ts';
import type { BodyContent, Operation, SkippedOperation } from '../operations/operation.ts';
import type { SchemaConverter } from '../schemas/schema-converter.ts';
import type { Authentication } from './authentication.ts';
import type { BaseUrl } from './base-url.ts';
import type { GeneratedTool } from './generated.ts';
import { validName } from './parameter-names.ts';
import { proposalsOf } from './proposals.ts';
import { proposePaging } from './propose-paging.ts';
import { bodyOf } from './request-body.ts';
import { parametersOf } from './request-parameters.ts';
import { plainText, sentences, textLimits } from './texts.ts';
import { outputOf } from './tool-output.ts';
import { ToolParameters } from './tool-parameters.ts';
import { overlaySettingsOf, ownSettingsOf } from './tool-settings.ts';

export interface ToolContext {
  readonly schemas: SchemaConverter;
  readonly authentication: Authentication;
  /** The base URL of an operation; undefined where it has none. */
  readonly baseOf: (operation: Operation) => BaseUrl | undefined;
  /** The base URL of the provider, below which URLs are relative. */
  readonly providerBase: string | undefined;
  /** Placeholders that the service fills in. */
  readonly supplied: () => readonly string[];
  readonly xmlExample?: ((content: BodyContent) => string | undefined) | undefined;
  /** True when POST, PUT, PATCH and DELETE need an approval. */
  readonly gatesWrites: boolean;
  readonly isSearched: boolean;
}

/** A tool whose `auth` is not yet compared with that of others. */
export interface DraftTool extends Omit<GeneratedTool, 'definition'> {
  readonly definition: JsonObject;
  readonly auth: JsonValue;
  readonly base: BaseUrl;
}

const safeMethods = ['get', 'head', 'options'];

/** Makes the tool of an operation; the reason where it cannot become one, and undefined where its settings leave it out. */
export function generateTool(operation: Operation, name: string, context: ToolContext): DraftTool | SkippedOperation | undefined {
  const { method } = operation;
  const risk = safeMethods.includes(method) ? 'low' : method === 'delete' ? 'high' : 'medium';
  const isGated = method === 'delete' || (context.gatesWrites && !safeMethods.includes(method));
  const own = ownSettingsOf(operation.ownSettings, { risk, isGated });
  const overlay = overlaySettingsOf(operation.overlaySettings);
  if (own.isExcluded || overlay.isExcluded) return undefined;
  const leaveOut = (reason: SkippedOperation['reason'], detail: string): SkippedOperation => ({
    ...{ method, path: operation.path, reason, detail },
    ...(operation.operationId === undefined ? {} : { operationId: operation.operationId }),
  });
  const base = context.baseOf(operation);
  if (base === undefined) return leaveOut('no server', 'no server has an absolute URL: set "server"');
  const auth = context.authentication.of(operation);
  if (auth === 'mutual TLS only') return leaveOut(auth, 'every alternative of its security needs a TLS client certificate');
  const notes: string[] = [...(operation.notes ?? []), ...own.notes, ...overlay.notes];
  const parameters = new ToolParameters(context.supplied());
  const sent = parametersOf(operation, parameters, context.schemas, (parameter) =>
    context.authentication.isCredential(parameter, operation.security),
  );
  const body = bodyOf(operation, {
    parameters,
    schemas: context.schemas,
    xmlExample: context.xmlExample,
    note: (text) => notes.push(text),
  });
  const { keys: outputKeys, accept } = outputOf(operation, parameters, context.schemas);
  const renamed = parameters.all.filter((parameter) => parameter.name !== parameter.sentAs && parameter.place !== 'tool').length;
  if (renamed > 0) notes.push('parameters have another name than in the document, because no model API takes that one');
  const encodings = [...sent.encodings, ...body.encodings];
  const headers = {
    ...(accept === undefined ? {} : { Accept: accept }),
    ...(body.contentType === undefined ? {} : { 'Content-Type': body.contentType }),
    ...(sent.keys['headers'] as JsonObject | undefined),
  };
  const url = base.template === context.providerBase && sent.path.startsWith('/') ? sent.path : base.template + sent.path;
  const execution: JsonObject = {
    type: 'http',
    method,
    url,
    ...sent.keys,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...body.keys,
    ...(encodings.length === 0 ? {} : { parameter_encoding: encodings }),
  };
  const title = plainText(operation.summary, textLimits.title);
  const tags = operation.tags.map((tag) => plainText(tag, textLimits.tag)).filter((tag) => tag !== '');
  const { name: named = name, ...overlayKeys } = overlay.keys;
  addPagingLimit(overlayKeys['paginate'], parameters);
  const isSaving = 'save_to' in outputKeys;
  const annotations = { ...(title === '' ? {} : { title }), ...(isSaving ? { readOnlyHint: false } : {}) };
  const definition: JsonObject = {
    name: named,
    description: descriptionOf(operation),
    ...parameters.definition(),
    execution,
    ...outputKeys,
    risk,
    ...(isGated ? { requires_approval: true } : {}),
    ...(tags.length === 0 ? {} : { tags: tags.slice(0, 5) }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    ...(context.isSearched ? { listed: 'search' } : {}),
    ...own.keys,
    ...overlayKeys,
  };
  notes.push(...proposalsOf(operation));
  const paging = proposePaging(operation, {
    parameters: parameters.all,
    schemaOf: (one) => parameters.schemaOf(one),
    output: outputKeys['output_schema'] as JsonSchema | undefined,
    definitions: context.schemas.definitions,
  });
  if (paging !== undefined && overlayKeys['paginate'] === undefined) notes.push(`proposes paginate: ${JSON.stringify(paging)}`);
  return { definition, operation, parameters: parameters.all, auth: auth as JsonValue, base, notes };
}

/** Adds the parameter that `paginate` of an overlay names as its limit: no request sends it, so the document has none. */
function addPagingLimit(paginate: unknown, parameters: ToolParameters): void {
  const limit = isPlainObject(paginate) ? paginate['limit'] : undefined;
  if (typeof limit !== 'string' || !parameters.isFree(limit) || validName(limit) !== limit) return;
  const schema = { type: 'integer', minimum: 1 };
  parameters.add(limit, 'tool', { schema, description: 'The number of items in all. Without it, one page.', isRequired: false });
}

function descriptionOf({ summary, description, method, path, isDeprecated }: Operation): string {
  const [short, long] = [plainText(summary, 200), plainText(description, textLimits.tool)];
  const text = sentences(isDeprecated ? 'Deprecated.' : '', short, long);
  return text === '' || text === 'Deprecated.' ? `${text} ${method.toUpperCase()} ${plainText(path, 200)}`.trim() : text;
}
