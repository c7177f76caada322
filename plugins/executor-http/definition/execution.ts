import Type, { type Static } from 'typebox';
import type { Execution, Issue, KnownNames, Origin, Provider, Risk, ToolAnnotations } from '../../../kernel/index.ts';
import { didYouMean, placeholdersIn } from '../../../kernel/index.ts';
import { AuthSchema, alternativesOf, stylesOf } from './auth.ts';
import { type BodyContent, BodyTypesSchema, bodyKeys, bodyMembers } from './body-types.ts';
import { HeaderValueSchema, PathValueSchema } from './styled.ts';
import { cookieIssues, memberIssues, pathIssues } from './styled-issues.ts';

const closed = { additionalProperties: false } as const;

const EncodingEntry = Type.Object(
  {
    /** Names of parameters. Parameters that were not given are left out. */
    source: Type.Array(Type.String(), { minItems: 1 }),
    /** The placeholder of the encoded value. */
    target: Type.String({ pattern: '^\\w+$' }),
    /** The encoding that combines them: a built-in one, or one of a plugin. */
    encoding: Type.String(),
    options: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  closed,
);

export const httpMethods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;

/** The `execution` of an http tool, beside `type` and `timeout_ms`. At most one of `body`, `form`, `multipart`, `body_file` and `body_types`. */
export const HttpExecutionSchema = Type.Object(
  {
    /** The request method (RFC 9110). */
    method: Type.Enum([...httpMethods]),
    /** An absolute URL, or a path that begins with `/` below the provider's `base_url`. */
    url: Type.String({ minLength: 1 }),
    /**
     * Request headers. Placeholders stand for parameters and credentials. `X-Ids: { value: '{ids}', explode: false }` writes a
     * list as `1,2`, as in OpenAPI 3 (style simple).
     */
    headers: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), HeaderValueSchema]))),
    /**
     * Cookies, percent-encoded, in one header behind those of a header Cookie. A list becomes a repeated cookie.
     * `ids: { value: '{ids}', style: form, explode: false }` writes `ids=1,2`, as in OpenAPI 3.
     */
    cookies: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** The authentication, in place of the provider's. */
    auth: Type.Optional(AuthSchema),
    /**
     * Placeholders of the path that are lists or objects: `ids: { value: '{ids}', style: simple }` writes `/items/{ids}` as
     * `/items/1,2`. Styles are simple, label and matrix.
     */
    path_params: Type.Optional(Type.Record(Type.String(), PathValueSchema)),
    /**
     * Query parameters. A list value becomes a repeated key. `ids: { value: '{ids}', style: form, explode: false }` writes
     * `ids=1,2`: `value`, `style` (form, spaceDelimited, pipeDelimited, deepObject), `explode` and `allow_reserved` as in OpenAPI
     * 3.
     */
    query_params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    ...bodyMembers,
    body_types: Type.Optional(BodyTypesSchema),
    /**
     * Sends no body and no Content-Type where the call gives none of the parameters in the body. @default an empty object, form
     * or list of parts
     */
    body_optional: Type.Optional(Type.Literal(true)),
    /** Values that combine several parameters, such as a mail message. */
    parameter_encoding: Type.Optional(Type.Union([EncodingEntry, Type.Array(EncodingEntry)])),
  },
  closed,
);

export type HttpExecution = Static<typeof HttpExecutionSchema>;

export function encodingsOf(execution: HttpExecution): readonly Static<typeof EncodingEntry>[] {
  return [execution.parameter_encoding ?? []].flat() as readonly Static<typeof EncodingEntry>[];
}

/**
 * Completes an execution with its provider: the base URL before a relative url, headers that the tool does not set itself, and
 * the authentication where the tool has none.
 */
export function completeExecution(
  execution: Execution<HttpExecution>,
  { definition: provider }: Provider,
  authOfProvider: HttpExecution['auth'] | undefined,
): Execution<HttpExecution> {
  const { url, headers = {}, auth = authOfProvider } = execution;
  const base = provider.base_url?.replace(/\/$/, '');
  const ownNames = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  // The provider's content type does not apply to a body that has its own.
  if ([execution.form, execution.multipart, execution.body_file, execution.body_types].some((body) => body !== undefined))
    ownNames.add('content-type');
  const inherited = Object.entries(provider.headers ?? {}).filter(([name]) => !ownNames.has(name.toLowerCase()));
  return {
    ...execution,
    url: url.startsWith('/') && base !== undefined ? base + url : url,
    headers: { ...Object.fromEntries(inherited), ...headers },
    ...(auth === undefined ? {} : { auth }),
  };
}

/**
 * Returns the placeholders that only one alternative of the authentication needs, for each alternative; none where there is
 * only one.
 */
export function authAlternatives({ auth, ...rest }: HttpExecution): readonly (readonly string[])[] {
  const alternatives = alternativesOf(auth);
  const otherPlaceholders = new Set(placeholdersIn(rest));
  return alternatives.length < 2
    ? []
    : alternatives.map((alternative) => placeholdersIn(alternative).filter((name) => !otherPlaceholders.has(name)));
}

/** Returns the bodies of an execution, of which one is sent. */
export function contentsOf(execution: HttpExecution): readonly BodyContent[] {
  return execution.body_types === undefined ? [execution] : Object.values(execution.body_types.types);
}

export function checkExecution(execution: HttpExecution, _origin: Origin, names: KnownNames): readonly Issue[] {
  const { method, url, headers = {}, auth } = execution;
  const issues: Issue[] = [];
  const report = (key: string, message: string) => issues.push({ path: key, pointer: `/${key}`, message });
  const warn = (key: string, message: string) => issues.push({ path: key, pointer: `/${key}`, message, severity: 'warning' });
  const urlIssue = findUrlIssue(url);
  if (urlIssue !== undefined) report('url', `${urlIssue}, received "${url}"`);
  const styles = stylesOf(auth);
  const other = bodyKeys.find((key) => key !== 'form' && contentsOf(execution).some((content) => content[key] !== undefined));
  if (styles.some(({ type }) => type === 'form') && (other !== undefined || method === 'get' || method === 'head'))
    report(
      'auth',
      `type "form" adds a field to "form", which a request with ${other === undefined ? `the method "${method}"` : `"${other}"`} does not have`,
    );
  issues.push(
    ...memberIssues('query_params', execution.query_params),
    ...pathIssues(url, execution.path_params),
    ...cookieIssues(execution.cookies, auth),
  );
  const urlPlaceholders = [execution.query_params, execution.path_params, url, ...styles.filter(({ type }) => type === 'query')].flatMap(
    placeholdersIn,
  );
  const credentialInUrl = urlPlaceholders.find((name) => names.credentials.includes(name));
  if (credentialInUrl !== undefined)
    warn(
      'url',
      `puts the credential {${credentialInUrl}} into the URL, which is logged on the way. Tokens belong in headers, if the service takes one there`,
    );
  const invalidHeader = Object.keys(headers).find((name) => placeholdersIn(name).length > 0 || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name));
  if (invalidHeader !== undefined) report('headers', `"${invalidHeader}" is not a header name (RFC 9110, 5.1)`);
  for (const { source, encoding } of encodingsOf(execution)) {
    const unknownSource = source.find((name) => !names.parameters.includes(name));
    if (unknownSource !== undefined)
      report(
        'parameter_encoding',
        `names the source "${unknownSource}", which is no parameter.${didYouMean(unknownSource, names.parameters)}`,
      );
    if (!names.encodings.includes(encoding))
      report(
        'parameter_encoding',
        `names the encoding "${encoding}".${didYouMean(encoding, names.encodings)} Expected one of ${names.encodings.join(', ')}`,
      );
  }
  return issues;
}

function findUrlIssue(url: string): string | undefined {
  if (url.startsWith('/')) return 'expected a provider file with "base_url" beside the tool, itself without a problem, or an absolute URL';
  if (/^\{\w+\}./.test(url) && !/^\{\w+\}[/?#]/.test(url)) return 'expected "/" after the placeholder that stands for the host';
  if (!/^(https?:\/\/|\{\w+\})/.test(url)) return 'expected an absolute http or https URL, or a path that begins with "/"';
  if (/^https?:\/\/[^/?#]*@/.test(url)) return 'expected a URL without a user name and password, which belong in a header';
  return undefined;
}

/** Returns the annotations that follow from the method (RFC 9110, 9.2): safe methods, and methods that may be repeated. */
export function annotationsOf({ method }: HttpExecution): ToolAnnotations {
  return {
    openWorldHint: true,
    idempotentHint: method !== 'post' && method !== 'patch',
    ...(isSafe(method) ? {} : { readOnlyHint: false }),
    ...(method === 'delete' ? { destructiveHint: true } : {}),
  };
}

export function isSafe(method: string): boolean {
  return method === 'get' || method === 'head' || method === 'options';
}

/** Returns the risk of a method: reading is low, deleting is high, anything else is medium. */
export function riskOf({ method }: HttpExecution): Risk {
  if (isSafe(method)) return 'low';
  return method === 'delete' ? 'high' : 'medium';
}
