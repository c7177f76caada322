import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

export interface CatalogueParameter {
  readonly name: string;
  /** The name that the API uses, a dotted one for a place inside the body. Default `name`. */
  readonly api_name?: string;
  readonly in: 'path' | 'query' | 'header' | 'body' | 'function';
  readonly type: string;
  readonly required: boolean;
  readonly items?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface CatalogueTool {
  readonly provider: string;
  readonly name: string;
  readonly type: 'http' | 'function';
  readonly operation_id: string | null;
  readonly method: string | null;
  readonly path: string | null;
  readonly request_content_type?: string;
  /** The content type in the description, where another one is sent. */
  readonly spec_content_type?: string;
  readonly auth: string;
  readonly scopes: readonly string[];
  readonly risk: string;
  readonly requires_approval: boolean;
  readonly parameters: readonly CatalogueParameter[];
  /** Sent in the body as given. */
  readonly fixed_parameters?: Readonly<Record<string, unknown>>;
  /** Members of the result of a function tool. */
  readonly returns?: Readonly<Record<string, string>>;
  /** A parameter that is composed of others, which are offered in its place. */
  readonly compose?: {
    readonly encoding: string;
    readonly from: readonly Omit<CatalogueParameter, 'in'>[];
    readonly into: string;
  };
}

export interface MappedName {
  readonly required: boolean;
  readonly secret: boolean;
  /** Value of the name when nobody sets it. */
  readonly default?: unknown;
  /** Parameter of the API that gets this value when the caller gives none. */
  readonly default_for?: string;
}

export interface CatalogueProvider {
  readonly name: string;
  readonly base_url: string | null;
  readonly auth: {
    readonly kind: 'bearer' | 'basic' | 'connection';
    readonly value?: string;
    readonly username?: string;
    readonly password?: string;
    readonly alternatives?: Readonly<Record<string, string>>;
  };
  readonly headers?: Readonly<Record<string, string>>;
  readonly parameter_mapping: Readonly<Record<string, MappedName>>;
  readonly oauth2: {
    readonly auth_url: string;
    readonly token_url: string;
    readonly revoke_url: string | null;
    readonly scopes: Readonly<Record<string, readonly string[]>>;
  } | null;
  readonly tools: readonly CatalogueTool[];
}

/** The facts about every provider and tool. */
export function readCatalogue(folder: string): readonly CatalogueProvider[] {
  const text = readFileSync(path.join(folder, 'providers.yaml'), 'utf8');
  const { providers } = parse(text) as { providers: Record<string, Omit<CatalogueProvider, 'name'>> };
  return Object.entries(providers).map(([name, provider]) => ({
    ...provider,
    name,
    tools: provider.tools.map((tool) => ({ ...tool, provider: name })),
  }));
}

/** Returns the parameters that callers give: the parts of a composed parameter stand in its place. */
export function offeredParameters({ parameters, compose }: CatalogueTool): readonly CatalogueParameter[] {
  if (compose === undefined) return parameters;
  const parts = compose.from.map((part): CatalogueParameter => ({ ...part, in: 'body' }));
  return parameters.flatMap((parameter) => (apiNameOf(parameter) === compose.into ? parts : [parameter]));
}

export function apiNameOf({ api_name: apiName, name }: CatalogueParameter): string {
  return apiName ?? name;
}
