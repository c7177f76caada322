import { isDeepStrictEqual } from 'node:util';
import { excerpt, isPlainObject, type Parameter, type Tool, ToolkitError } from '../../../kernel/index.ts';

/** Arguments after which a program reads no more options. The second one is git's. */
const ends = new Set(['--', '--end-of-options']);

/** True for an argument after which a program reads no more options. */
export function endsOptions(argument: string): boolean {
  return ends.has(argument);
}

/** Returns the declaration of a parameter; for an `input_schema`, the one written there, with the keys that `parameters` adds to it. */
export function declarationOf({ definition, parameters }: Pick<Tool, 'definition' | 'parameters'>, name: string): Parameter {
  const written = definition.input_schema?.['properties'];
  const member = isPlainObject(written) && Object.hasOwn(written, name) ? written[name] : undefined;
  return { ...(isPlainObject(member) ? member : {}), ...(Object.hasOwn(parameters, name) ? parameters[name] : {}) };
}

/**
 * True when a value may begin an argument even with `-`: the parameter says `options: true`, or the author has written the value (`enum`,
 * `const`, `default`), or it is a number. For a list, ask for each item.
 */
export function mayBeOption(value: unknown, declared: Parameter): boolean {
  return declared['options'] === true || isDeepStrictEqual(value, declared.default) || isKnown(value, declared);
}

/** Does the same for one item of a list. */
export function mayItemBeOption(item: unknown, list: unknown, declared: Parameter): boolean {
  const isWritten = declared['options'] === true || isDeepStrictEqual(list, declared.default);
  return isWritten || isKnown(item, isPlainObject(declared.items) ? (declared.items as Parameter) : {});
}

/** Throws INVALID_PARAMETERS for a value that a program would read as an option. `path`: such as `files[2]`. */
export function refuseOption(value: string, path: string, tool: Pick<Tool, 'name'>, program: string): never {
  const message = `would be an option of ${program}, because it begins with "-": expected a value that does not, received "${excerpt(value, 60)}"`;
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `Parameter "${path}" of "${tool.name}" ${message}. For a file write "./" before its name. Where options are meant, the author of the tool says "options: true" in the parameter, else "--" before it in "args".`,
    { tool: tool.name, issues: [{ path: path, message }] },
  );
}

/** Finds the texts in a value, at any depth, that begin with `-`, each with its path. */
export function textsBeginningWithDash(value: unknown, path: string): readonly { readonly text: string; readonly path: string }[] {
  if (typeof value === 'string') return value.startsWith('-') ? [{ text: value, path }] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsBeginningWithDash(item, `${path}[${index}]`));
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => textsBeginningWithDash(member, `${path}.${key}`));
}

const numeric = new Set(['number', 'integer', 'null']);

function isKnown(value: unknown, { type, enum: values, ...declared }: Parameter): boolean {
  if (typeof value !== 'string') return true;
  const types = [type].flat().filter((each) => each !== undefined);
  // A large integer is a text of its digits.
  const isNumber = types.length > 0 && types.every((each) => numeric.has(each)) && /^-\d+$/.test(value);
  return isNumber || value === declared['const'] || (Array.isArray(values) && values.includes(value));
}
