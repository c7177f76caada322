import type { Located } from '../document/resolve.ts';

/** The version family of a document: the dialect of its schemas. */
export type Dialect = '2.0' | '3.0' | '3.1';

export const documentMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
export type DocumentMethod = (typeof documentMethods)[number];

/** A document as tools are made from it: its structure is resolved, its schemas are not. */
export interface ApiDocument {
  readonly dialect: Dialect;
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  readonly operations: readonly Operation[];
  /** Operations that cannot become tools. */
  readonly skipped: readonly SkippedOperation[];
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
  /** Descriptions of tags, by name. */
  readonly tags: ReadonlyMap<string, string>;
  /** Faults of the document that cost no operation, for people. */
  readonly notes: readonly string[];
}

/** The reason why an operation does not become a tool. */
export type SkipReason = 'required body of GET' | 'TRACE' | 'broken reference' | 'mutual TLS only' | 'no server' | 'invalid';

export interface SkippedOperation {
  readonly method: string;
  readonly path: string;
  readonly operationId?: string;
  readonly reason: SkipReason;
  /** The place and the fault, for people. */
  readonly detail: string;
}

/** One operation, in the words of OpenAPI 3. Documents of 2.0 are converted. */
export interface Operation {
  readonly method: DocumentMethod;
  /** The path as the document writes it, such as `/files/{file_id}` or `/{Bucket}?acl`. One of each method and path. */
  readonly path: string;
  /** The path to send, where `path` has a query or fragment: `/{Bucket}`. A fragment only tells operations apart. @default `path` */
  readonly sentPath?: string;
  /** Pairs of the query in `path`, decoded, which are sent before all others: `[['acl', '']]`. */
  readonly fixedQuery?: readonly (readonly [name: string, value: string])[];
  /** The operation in its document. */
  readonly located: Located;
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly isDeprecated: boolean;
  /** Parameters of the operation and its path, one of each name and place. */
  readonly parameters: readonly OperationParameter[];
  readonly body?: RequestBody;
  readonly responses: readonly OperationResponse[];
  /** The servers of the operation, else of its path, else of the document. URLs are absolute or relative. */
  readonly servers: readonly Server[];
  /** Alternatives, each a list of schemes of which all are needed. An empty alternative: no authentication. */
  readonly security: readonly (readonly SchemeUse[])[];
  /** `x-toolkit` of the document, and of the operator's overlay, separately. */
  readonly ownSettings?: unknown;
  readonly overlaySettings?: unknown;
  /** Faults of the operation in its document, for people. They are in `ApiDocument.notes` too, together with those of others. */
  readonly notes?: readonly string[];
}

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';
export type Style = 'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';

export interface OperationParameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly description?: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  /** The schema; absent where the document has none, or `mediaType` says how the value is written. */
  readonly schema?: Located;
  /** The media type of a parameter with `content`. */
  readonly mediaType?: string;
  readonly style: Style;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly examples: readonly unknown[];
}

export interface RequestBody {
  readonly description?: string;
  readonly isRequired: boolean;
  /** At least one, in the order of the document. */
  readonly contents: readonly BodyContent[];
}

export interface BodyContent {
  /** Such as `application/json`, without parameters, in lower case. */
  readonly mediaType: string;
  readonly schema?: Located;
  /** How members are written, for forms and multipart. */
  readonly encoding: Readonly<Record<string, MemberEncoding>>;
  readonly examples: readonly unknown[];
}

export interface MemberEncoding {
  readonly contentType?: string;
  readonly style?: Style;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
}

export interface OperationResponse {
  /** Such as `200`, `2XX` or `default`. */
  readonly status: string;
  readonly description?: string;
  readonly contents: readonly Pick<BodyContent, 'mediaType' | 'schema' | 'examples'>[];
  readonly headers: readonly { readonly name: string; readonly description?: string; readonly schema?: Located }[];
}

export interface Server {
  readonly url: string;
  readonly description?: string;
  readonly variables: Readonly<
    Record<string, { readonly default?: string; readonly enum?: readonly string[]; readonly description?: string }>
  >;
}

export interface SchemeUse {
  readonly scheme: string;
  readonly scopes: readonly string[];
}

export interface OAuthFlow {
  readonly grant: 'authorizationCode' | 'implicit' | 'password' | 'clientCredentials';
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly refreshUrl?: string;
  readonly scopes: Readonly<Record<string, string>>;
}

export type SecurityScheme = { readonly name: string; readonly description?: string } & (
  | { readonly type: 'apiKey'; readonly in: 'query' | 'header' | 'cookie'; readonly parameter: string }
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string }
  | { readonly type: 'oauth2'; readonly flows: readonly OAuthFlow[] }
  | { readonly type: 'openIdConnect'; readonly url: string }
  | { readonly type: 'mutualTLS' }
);
