import { isDeepStrictEqual } from 'node:util';
import { readBlocks } from './bru-blocks.ts';
import { bruLanguage } from './bru-language.ts';
import type { NewRequest } from './new-request.ts';
import { operationError } from './operation-error.ts';
import { withVariables } from './variables.ts';

/** Parameter names of the parts of a file, where they differ. */
const parameterOf: Readonly<Record<string, string>> = { meta: 'request_name', http: 'url', docs: 'documentation' };

const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Matches a header name (RFC 9110, 5.6.2) without a leading `~`, which would disable the header. */
const headerName = /^(?!~)[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Returns the `.bru` file of a request. Reads it back and compares, so that no part is lost. Throws INVALID_PARAMETERS. */
export async function requestText(request: NewRequest, order: number): Promise<string> {
  const { bruToJsonV2, jsonToBruV2 } = await bruLanguage();
  const expected = contentOf(request, order);
  // The library modifies its argument.
  const text = jsonToBruV2(structuredClone(expected));
  const readBackParts = readBack(text, bruToJsonV2);
  for (const [part, value] of Object.entries(expected)) {
    if (isDeepStrictEqual(readBackParts?.[part], value)) continue;
    throw parameterError(parameterOf[part] ?? part, 'a text that a .bru file can hold; read back it would be another one');
  }
  const [added] = Object.keys(readBackParts ?? {}).filter((part) => !Object.hasOwn(expected, part));
  if (added !== undefined) throw parameterError(parameterOf[added] ?? added, 'no part that was not given');
  return text;
}

function contentOf(
  { request_name: name, method, url, headers = {}, body: given, tests, documentation }: NewRequest,
  order: number,
): Record<string, unknown> {
  const body = given === '' ? undefined : given;
  const kind = body === undefined ? 'none' : bodyKind(method, headers, body);
  return {
    meta: { name, type: 'http', seq: String(order) },
    http: { method: method.toLowerCase(), url: urlOf(url), body: kind, auth: 'inherit' },
    ...(Object.keys(headers).length === 0 ? {} : { headers: headersOf(headers) }),
    ...(body === undefined ? {} : { body: { [kind]: linesOf('body', body) } }),
    ...(isBlank(tests) ? {} : { tests: linesOf('tests', tests ?? '') }),
    ...(isBlank(documentation) ? {} : { docs: linesOf('documentation', documentation ?? '') }),
  };
}

function urlOf(given: string): string {
  const url = withVariables(given.trim());
  if (/[\s\p{Cc}]/u.test(url)) throw parameterError('url', 'no spaces and control characters; write %20 for a space');
  if (/[{}]/.test(url.replace(/\{\{[^{}]+\}\}/g, '')))
    throw parameterError('url', 'braces only around the name of a variable, such as {base_url}');
  if (!/^(https?:\/\/|\{\{)./i.test(url))
    throw parameterError('url', 'an address that begins with http://, https:// or a variable such as {base_url}');
  return url;
}

function headersOf(headers: Readonly<Record<string, string>>): object[] {
  return Object.entries(headers).map(([name, value]) => {
    if (!headerName.test(name))
      throw parameterError(`headers.${name}`, "a header name of letters, digits and !#$%&'*+.^_`|~-, without ~ in front");
    if (/\p{Cc}/u.test(value)) throw parameterError(`headers.${name}`, 'a value on one line, without control characters');
    return { name, value: value.trim(), enabled: true };
  });
}

function bodyKind(method: string, headers: Readonly<Record<string, string>>, body: string): 'json' | 'xml' | 'text' {
  if (!methodsWithBody.has(method))
    throw parameterError('body', `a method that sends one (POST, PUT, PATCH), received ${method}. Leave the body out`);
  const [, type = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  if (/[/+]json\b/i.test(type)) return 'json';
  if (/[/+]xml\b/i.test(type)) return 'xml';
  return type === '' && isJson(body) ? 'json' : 'text';
}

/** True when the body is JSON, with variables in place of any value. */
function isJson(body: string): boolean {
  try {
    // A variable inside a string is text already. The closing quote is optional, so that no text is scanned twice.
    // No number: only whether it parses matters.
    JSON.parse(body.replace(/"[^"\\]*(?:\\.[^"\\]*)*"?|\{\{[\w.$-]+\}\}/g, (match) => (match.startsWith('"') ? match : '0')));
    return true;
  } catch {
    return false;
  }
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === '';
}

/** Normalizes line ends to LF and removes empty lines at both ends: the format cannot hold them. */
function linesOf(parameter: string, text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').replace(/^\n+|\n+$/g, '');
  if (lines.includes('\0')) throw parameterError(parameter, 'a text without null bytes');
  return lines;
}

/** Parses a file into its parts; undefined when it cannot be read. */
function readBack(file: string, parse: (text: string) => object): Record<string, unknown> | undefined {
  try {
    const { content, texts } = readBlocks(file, parse);
    const ofTexts = [...texts].map(([name, text]) => (name.startsWith('body:') ? ['body', { [name.slice(5)]: text }] : [name, text]));
    return { ...content, ...Object.fromEntries(ofTexts) };
  } catch {
    return undefined;
  }
}

function parameterError(parameter: string, expected: string): Error {
  return operationError(`"${parameter}" cannot be written into a request: expected ${expected}.`, 'INVALID_PARAMETERS');
}
