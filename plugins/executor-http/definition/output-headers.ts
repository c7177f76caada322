import Type, { type Static } from 'typebox';
import { checkValue, type DefinitionContext, type Issue, pointerSegments } from '../../../kernel/index.ts';
import { stylesOf } from './auth.ts';
import type { HttpExecution } from './execution.ts';

/**
 * Names of response headers that the output shows. The output is then always `{headers: {…}, body: …}`: the headers by their lower-case names, without
 * those that the answer does not have; a repeated one is one text, joined by ", "; a value is cut after 4096 characters. `body` is the answer, or what
 * `select` makes of it, or the description of the saved file. An empty answer has no `body`. Cookies and credentials are refused.
 */
export const OutputHeadersSchema = Type.Array(Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$" }), {
  minItems: 1,
  maxItems: 30,
  uniqueItems: true,
});

export type OutputHeaders = Static<typeof OutputHeadersSchema>;

/** Headers of an answer that set a cookie or prove an identity: RFC 6265, RFC 9110 (11), and common names of tokens. */
const secretHeaders: ReadonlySet<string> = new Set([
  'authentication-info',
  'authorization',
  'cookie',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'set-cookie',
  'set-cookie2',
  'www-authenticate',
  'x-access-token',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token',
  'x-subject-token',
  'x-xsrf-token',
]);

/** Returns the key of the output for a header. */
export function keyOfHeader(name: string): string {
  return name.toLowerCase();
}

/** Returns issues that the schema cannot find: headers with secrets, and an output schema that the shape of the output never matches. */
export function checkOutputHeaders(names: OutputHeaders, { auth }: HttpExecution, { definition }: DefinitionContext): readonly Issue[] {
  const issues: Issue[] = [];
  const report = (key: string, message: string) =>
    issues.push({ path: `output_headers${key.replace('/', '.')}`, pointer: `/output_headers${key}`, message });
  const sent = new Set(stylesOf(auth).flatMap((style) => (style.type === 'header' ? [keyOfHeader(style.name)] : [])));
  for (const [index, name] of names.entries()) {
    const key = keyOfHeader(name);
    if (secretHeaders.has(key) || sent.has(key))
      report(`/${index}`, `names "${name}", which carries a credential. Outputs hold none: remove it`);
    const earlier = names.findIndex((other) => keyOfHeader(other) === key);
    if (earlier < index) report(`/${index}`, `names "${name}", as entry ${earlier} does: the case of a header name does not matter`);
  }
  if ('paginate' in definition)
    report('', 'cannot stand beside "paginate": a list of several answers has the headers of none. Remove one of the two');
  for (const { path, message } of shapeIssues(names, definition.output_schema))
    report('', `gives { headers, body }, which output_schema refuses: ${path === '' ? '' : `${path} `}${message}`);
  return issues;
}

/** Finds what an output schema refuses of any output with these headers, whatever their values and the body are. */
function shapeIssues(names: OutputHeaders, schema: DefinitionContext['definition']['output_schema']): readonly Issue[] {
  if (schema === undefined) return [];
  const known = new Set(names.map(keyOfHeader));
  const headers = Object.fromEntries([...known].map((name) => [name, 'x']));
  return checkValue(schema, { headers, body: null }).filter(({ pointer = '', resembles }) => {
    const [member, name = ''] = pointerSegments(pointer);
    // A key that the schema does not know is refused with every value.
    if (resembles !== undefined) return member !== 'body' || pointer === '/body';
    return member !== 'body' && !(member === 'headers' && known.has(name));
  });
}
