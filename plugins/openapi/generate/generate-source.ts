import type { JsonObject, JsonValue } from '../../../kernel/index.ts';
import type { ApiDocument, BodyContent, SkippedOperation } from '../operations/operation.ts';
import type { DocumentSource } from '../options.ts';
import type { SchemaConverter } from '../schemas/schema-converter.ts';
import { Authentication } from './authentication.ts';
import { type BaseUrl, baseUrlOf, namedBase } from './base-url.ts';
import { type DraftTool, generateTool } from './generate-tool.ts';
import type { GeneratedSource, GeneratedTool } from './generated.ts';
import { keyOfOperation } from './operation-key.ts';
import { selectOperations } from './select-operations.ts';
import { SuppliedValues } from './supplied-values.ts';
import { plainText } from './texts.ts';
import { toolNames } from './tool-names.ts';

export interface GenerateRequest {
  /** The name of the source. */
  readonly name: string;
  readonly document: ApiDocument;
  readonly schemas: SchemaConverter;
  readonly source: DocumentSource;
  /** Tool names that stay, by the key of their operation. @default none */
  readonly names?: ReadonlyMap<string, string>;
  /** Name of the secret with the access token of the caller's account, for schemes that take a bearer token. @default a name of the source's own */
  readonly accountToken?: string;
  /** Makes an example of an XML body. @default none */
  readonly xmlExample?: (content: BodyContent) => string | undefined;
}

/** Number of tools up to which `expose: auto` lists all. */
const maxListed = 60;

/** Makes the tools of a document: one for each operation that its source selects, and its provider. Opens nothing. */
export function generateSource({ name, document, schemas, source, names, accountToken, xmlExample }: GenerateRequest): GeneratedSource {
  const { selected, notes } = selectOperations(document.operations, source);
  const toolNameOf = toolNames(name, selected, names);
  const values = new SuppliedValues(name);
  const authentication = new Authentication(document.securitySchemes, values, accountToken);
  const named = source.server === undefined ? undefined : namedBase(source.server);
  const bases = new Map<unknown, BaseUrl | undefined>();
  const baseOf = ({ servers }: (typeof selected)[number]): BaseUrl | undefined => {
    if (named !== undefined) return named;
    if (!bases.has(servers)) bases.set(servers, baseUrlOf(servers, values));
    return bases.get(servers);
  };
  // Declares the values of all servers and schemes before a parameter could take their names.
  const templates = selected.flatMap((operation) => baseOf(operation)?.template ?? []);
  for (const operation of selected) authentication.of(operation);
  const providerBase = mostCommon(templates);
  const { expose = 'auto' } = source;
  const isSearched = expose === 'search' || (expose === 'auto' && selected.length > maxListed);
  const drafts: DraftTool[] = [];
  const skipped: SkippedOperation[] = [...document.skipped];
  for (const operation of selected) {
    const made = generateTool(operation, toolNameOf.get(keyOfOperation(operation)) as string, {
      ...{ schemas, authentication, baseOf, providerBase, isSearched },
      ...(xmlExample === undefined ? {} : { xmlExample }),
      supplied: () => values.names,
      gatesWrites: source.gate === 'writes',
    });
    if (made === undefined) continue;
    if ('reason' in made) skipped.push(made);
    else drafts.push(made);
  }
  const auth = mostCommon(drafts.map((draft) => JSON.stringify(draft.auth)));
  const tools = drafts.map((draft) => finished(draft, auth));
  // The provider of the account has the addresses of the login.
  const oauth2 = accountToken === undefined ? authentication.oauth2() : undefined;
  const mapping = values.mapping();
  const description = plainText(document.description, 300) || plainText(document.title, 100);
  const provider: JsonObject = {
    provider: { name, ...(description === '' ? {} : { description }) },
    ...(providerBase === undefined ? {} : { base_url: providerBase }),
    // Own text: written by JSON.stringify above.
    ...(auth === undefined ? {} : { auth: JSON.parse(auth) as JsonValue }),
    ...(oauth2 === undefined ? {} : { oauth2 }),
    ...(mapping.length === 0 ? {} : { parameter_mapping: [...mapping] }),
    ...(Object.keys(schemas.definitions).length === 0 ? {} : { $defs: schemas.definitions as JsonObject }),
  };
  return {
    provider,
    tools,
    skipped,
    needs: values.needs,
    hosts: [...new Set(drafts.map(({ base }) => base.origin))].sort(),
    notes: [...document.notes, ...schemas.notes, ...notes, ...unusedSecurity(document)],
  };
}

function unusedSecurity({ securitySchemes, operations }: ApiDocument): readonly string[] {
  const isUnused = securitySchemes.size > 0 && operations.length > 0 && operations.every(({ security }) => security.flat().length === 0);
  return isUnused ? ['the document has security schemes, and no operation needs one: say which by "security" in an overlay'] : [];
}

/** Adds `auth` where it differs from the provider's. */
function finished({ definition, operation, notes, parameters, auth }: DraftTool, ofProvider: string | undefined): GeneratedTool {
  const execution = definition['execution'] as JsonObject;
  const isSame = JSON.stringify(auth) === ofProvider;
  const whole = isSame ? definition : { ...definition, execution: { ...execution, auth } };
  return { definition: whole, operation, notes, ...(parameters === undefined ? {} : { parameters }) };
}

function mostCommon(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
