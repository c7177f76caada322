import { isDeepStrictEqual } from 'node:util';
import { longIntegers } from '../arguments/sample-value.ts';
import type { Compared, Difference } from './differences.ts';

/** A fault of swagger-client 3.39, with the rule that it breaks. */
export interface SwaggerFault {
  readonly name: string;
  /** The paragraph of the OpenAPI Specification, or of the RFC to which it leads. */
  readonly rule: string;
  /** True where the fault explains the difference. */
  readonly explains: (difference: Difference, compared: Compared) => boolean;
}

/** Returns the argument of the query parameter of a difference. */
function queryArgument({ parameter }: Difference, { given }: Compared): unknown {
  return parameter === undefined ? undefined : given.parameters.get(`query ${parameter.name}`);
}

const isForm = ({ given }: Compared): boolean => given.mediaType === 'application/x-www-form-urlencoded';

export const swaggerFaults: readonly SwaggerFault[] = [
  {
    name: 'an empty list or object is sent as an empty text',
    rule: 'RFC 6570, 2.3: a list or object without items is undefined, and writes nothing (OAS 3.1, 4.8.12.4 leads there)',
    explains: (difference, compared) => {
      const value = argumentOf(difference, compared);
      return typeof value === 'object' && value !== null && Object.keys(value).length === 0 && isDeepStrictEqual(difference.theirs, ['']);
    },
  },
  {
    name: 'an empty text is not sent in a query',
    rule: 'OAS 3.1, 4.8.12.4 Style Examples, column "empty": form writes `color=`',
    explains: (difference, compared) =>
      difference.part === 'query' && queryArgument(difference, compared) === '' && isDeepStrictEqual(difference.ours, ['']),
  },
  {
    name: 'a path with a fragment, or with braces inside of a fragment, is sent with it and not filled in',
    rule: 'OAS 3.1, 4.8.8 Paths Object: the path is appended to the URL, its templates filled in; RFC 3986, 3.5: a fragment is not sent',
    explains: ({ part }, { operation }) => part === 'path' && operation.path.includes('#'),
  },
  {
    name: 'lists and objects inside of deepObject are written as JSON, a list itself as a repeated name, and null is an exception',
    rule: 'OAS 3.1, 4.8.12.3 Style Values: deepObject writes members as `name[member]`',
    explains: (difference, compared) => styleOf(difference, compared) === 'deepObject' && isNested(argumentOf(difference, compared)),
  },
  {
    name: 'items of a joined label are separated by points',
    rule: 'RFC 6570, 3.2.5: `{.list}` is `.red,green,blue` (OAS 3.1.1, 4.8.12.4 Style Examples)',
    explains: ({ part }, { operation, given }) =>
      part === 'path' &&
      operation.parameters.some(
        ({ style, explode, name }) => style === 'label' && !explode && typeof given.parameters.get(`path ${name}`) === 'object',
      ),
  },
  {
    name: 'an object in spaceDelimited or pipeDelimited is joined by commas',
    rule: 'OAS 3.1, 4.8.12.4 Style Examples: `R%20100%20G%20200` and `R|100|G|200`',
    explains: (difference, compared) =>
      /^(space|pipe)Delimited$/.test(difference.parameter?.style ?? '') && !Array.isArray(argumentOf(difference, compared)),
  },
  {
    name: 'allowReserved leaves signs as they are that separate pairs or begin a fragment',
    rule: 'OAS 3.1.1, 4.8.12.2.1 allowReserved, and RFC 3986, 3.4: `&`, `=`, `+` and `#` of a value are still to be encoded',
    explains: ({ part }, { operation, given }) =>
      part === 'query' &&
      operation.parameters.some(
        (one) => one.in === 'query' && one.allowReserved && /[&=+#]/.test(String(given.parameters.get(`query ${one.name}`) ?? '')),
      ),
  },
  {
    name: 'an integer beyond 2^53 can be given as a text only, and is sent as one',
    rule: 'OAS 3.1, 4.4 Data Types: int64 is an integer of 64 bits',
    explains: ({ part, ours, theirs }) => part === 'body' && isDeepStrictEqual(withLongTexts(ours), theirs),
  },
  {
    name: 'a media range is not a type that it finds, and the body is not sent',
    rule: 'OAS 3.1, 4.8.14 Request Body Object: the key is a media type or a media type range',
    explains: ({ part }, { operation, given }) =>
      (part === 'mediaType' || part === 'body') &&
      given.mediaType !== undefined &&
      !operation.bodies.some(({ mediaType }) => mediaType === given.mediaType) &&
      operation.bodies.some(({ mediaType }) => mediaType.includes('*')),
  },
  {
    name: 'a text that is a JSON body is sent without quotes',
    rule: 'OAS 3.1, 4.8.14.3 Considerations for JSON: the value is written as JSON; RFC 8259, 7: a text has quotes',
    explains: ({ part, ours }, { given }) =>
      part === 'body' && typeof given.body === 'string' && ours === given.body && /[/+]json$/.test(given.mediaType ?? ''),
  },
  {
    name: 'a text of a form that looks like JSON is parsed and written anew, and so is a list that looks like it as a text',
    rule: 'OAS 3.1, 4.8.15.1 Encoding Object: a text is text/plain, as it is',
    explains: (difference, compared) => {
      const value = argumentOf(difference, compared);
      // It takes `String(['[0]'])`, which is `[0]`, for JSON.
      const isText = typeof value === 'string' || Array.isArray(value);
      return difference.part === 'body' && isForm(compared) && isText && isJson(String(value));
    },
  },
  {
    name: 'a list of a form without an encoding is joined by commas',
    rule: 'OAS 3.1, 4.8.14.4 Support for x-www-form-urlencoded: style form with explode, as in a query',
    explains: (difference, compared) =>
      difference.part === 'body' &&
      isForm(compared) &&
      Array.isArray(argumentOf(difference, compared)) &&
      styleOf(difference, compared) === undefined,
  },
];

/** Returns a body with texts in place of integers beyond 2^53. */
function withLongTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLongTexts);
  if (typeof value !== 'object' || value === null) return value;
  const { number, ...rest } = value as Readonly<Record<string, unknown>>;
  if (typeof number === 'string' && Object.keys(rest).length === 0) return longIntegers.includes(number) ? number : value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withLongTexts(member)]));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the member of a form to which a pair belongs. */
function memberOf(name: string, { given }: Compared): string {
  const members = Object.keys((given.body ?? {}) as object);
  return members.includes(name) ? name : (name.split('[')[0] as string);
}

/** Returns the argument to which a difference of a query or form belongs. */
function argumentOf(difference: Difference, compared: Compared): unknown {
  if (difference.part === 'query') return queryArgument(difference, compared);
  if (difference.part !== 'body' || difference.name === undefined) return undefined;
  return ((compared.given.body ?? {}) as Readonly<Record<string, unknown>>)[memberOf(difference.name, compared)];
}

/** Returns the style that the document gives the argument of a difference. */
function styleOf(difference: Difference, compared: Compared): string | undefined {
  if (difference.part === 'query') return difference.parameter?.style;
  const body = compared.operation.bodies.find(({ mediaType }) => mediaType === compared.given.mediaType);
  return difference.name === undefined ? undefined : body?.encoding[memberOf(difference.name, compared)]?.style;
}

function isNested(value: unknown): boolean {
  return (
    Array.isArray(value) ||
    (typeof value === 'object' && value !== null && Object.values(value).some((member) => typeof member === 'object' && member !== null))
  );
}

/** Returns the name of the fault that explains an exception. */
export function faultOfThrown(thrown: unknown, { given }: Compared): string | undefined {
  const isNull = String(thrown).includes('Cannot convert undefined or null to object') && JSON.stringify(given.body ?? '').includes('null');
  return isNull ? swaggerFaults.find(({ name }) => name.includes('null is an exception'))?.name : undefined;
}

/** Returns the name of the fault that explains a difference. */
export function faultOf(difference: Difference, compared: Compared): string | undefined {
  return swaggerFaults.find(({ explains }) => explains(difference, compared))?.name;
}
