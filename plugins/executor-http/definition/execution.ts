import Type, { type Static } from 'typebox';
import type { Execution, Issue, KnownNames, Origin, Provider, Risk, ToolAnnotations } from '../../../kernel/index.ts';
import { checkValue, didYouMean, placeholdersIn } from '../../../kernel/index.ts';
import { AuthSchema, alternativesOf, stylesOf } from './auth.ts';
import { isNearlyStyled, isStyled, PathValueSchema, QueryValueSchema } from './styled.ts';

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

/** The `execution` of an http tool, beside `type` and `timeout_ms`. At most one of `body`, `form`, `multipart` and `body_file`. */
export const HttpExecutionSchema = Type.Object(
  {
    /** The request method (RFC 9110). */
    method: Type.Enum([...httpMethods]),
    /** An absolute URL, or a path that begins with `/` below the provider's `base_url`. */
    url: Type.String({ minLength: 1 }),
    /** Request headers. Placeholders stand for parameters and credentials. */
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** The authentication, in place of the provider's. */
    auth: Type.Optional(AuthSchema),
    /**
     * Placeholders of the path that are lists or objects: `ids: { value: '{ids}', style: simple }` writes `/items/{ids}` as
     * `/items/1,2`.
     */
    path_params: Type.Optional(Type.Record(Type.String(), PathValueSchema)),
    /**
     * Query parameters. A list value becomes a repeated key. `ids: { value: '{ids}', style: form, explode: false }` writes
     * `ids=1,2`: `value`, `style` (form, spaceDelimited, pipeDelimited, deepObject), `explode` and `allow_reserved` as in OpenAPI
     * 3.
     */
    query_params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** The body. An object or list is sent as JSON; a string as it is, with placeholder values escaped for its content type. */
    body: Type.Optional(Type.Unknown()),
    /** Fields that are sent as application/x-www-form-urlencoded. */
    form: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /**
     * Parts that are sent as multipart/form-data, in the order written. A part is a value (a list becomes a repeated name, an
     * object JSON) or a file: `document: { file: '{document}' }`, where the parameter says `path: read`. Files are read while they
     * are sent.
     */
    multipart: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { minProperties: 1 })),
    /**
     * A file that is sent as the body: `{name}` of a parameter with `path: read`. Its type is the header Content-Type, or follows
     * from the file extension.
     */
    body_file: Type.Optional(Type.String()),
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
  if ([execution.form, execution.multipart, execution.body_file].some((body) => body !== undefined)) ownNames.add('content-type');
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

export function checkExecution(execution: HttpExecution, _origin: Origin, names: KnownNames): readonly Issue[] {
  const { method, url, body, multipart, body_file: file, headers = {}, auth } = execution;
  const issues: Issue[] = [];
  const report = (key: string, message: string) => issues.push({ path: key, pointer: `/${key}`, message });
  const warn = (key: string, message: string) => issues.push({ path: key, pointer: `/${key}`, message, severity: 'warning' });
  const urlIssue = findUrlIssue(url);
  if (urlIssue !== undefined) report('url', `${urlIssue}, received "${url}"`);
  const styles = stylesOf(auth);
  const other = Object.entries({ body, multipart, body_file: file }).find(([, given]) => given !== undefined)?.[0];
  if (styles.some(({ type }) => type === 'form') && (other !== undefined || method === 'get' || method === 'head'))
    report(
      'auth',
      `type "form" adds a field to "form", which a request with ${other === undefined ? `the method "${method}"` : `"${other}"`} does not have`,
    );
  for (const [name, member] of Object.entries(execution.query_params ?? {})) issues.push(...queryIssues(name, member));
  const unused = Object.keys(execution.path_params ?? {}).find((name) => !placeholdersIn(url).includes(name));
  if (unused !== undefined) report(`path_params/${unused}`, `describes {${unused}}, which "url" does not have`);
  const urlPlaceholders = [execution.query_params, url, ...styles.filter(({ type }) => type === 'query')].flatMap(placeholdersIn);
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

/** Returns issues of a styled query value, for which the schema allows any value. */
function queryIssues(name: string, member: unknown): readonly Issue[] {
  const at = (key: string, message: string): Issue => ({
    path: `query_params.${name}${key}`.replaceAll('/', '.'),
    pointer: `/query_params/${name.replaceAll('~', '~0').replaceAll('/', '~1')}${key}`,
    message,
  });
  if (isNearlyStyled(member))
    return [at('', 'has "value" and a style, and another key as well: expected "value", "style", "explode" and "allow_reserved" alone')];
  if (!isStyled(member)) return [];
  const issues = checkValue(QueryValueSchema, member).map(({ pointer, message }) => at(pointer ?? '', message));
  if (member.style === 'deepObject' && member.explode === false)
    issues.push(at('/explode', 'cannot be false for the style deepObject, which has no such form'));
  return issues;
}

function findUrlIssue(url: string): string | undefined {
  if (url.startsWith('/')) return 'expected a provider file with "base_url" beside the tool, or an absolute URL';
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
