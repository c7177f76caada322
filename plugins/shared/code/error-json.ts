import {
  type ErrorCode,
  errorCodes,
  isPlainObject,
  type JsonObject,
  type JsonValue,
  ToolkitError,
  toJsonValue,
} from '../../../kernel/index.ts';

/** An error as JSON: `name`, `message`, and its own members that are JSON, such as `code`. */
export interface ErrorJson extends JsonObject {
  readonly name: string;
  readonly message: string;
}

/**
 * Converts a thrown value to JSON. A value that is no error becomes one. Stack, cause and class are lost, except the class of a
 * ToolkitError.
 */
export function toErrorJson(thrown: unknown): ErrorJson {
  const isError = thrown instanceof Error || ToolkitError.is(thrown);
  if (!isError) return { name: 'Error', message: String(thrown) };
  return { name: thrown.name, message: thrown.message, ...otherMembers(thrown) };
}

/** Restores an error with the same members. */
export function restoreThrown({ name, message, ...members }: ErrorJson): Error {
  const { code, details } = members;
  if (name === 'ToolkitError' && typeof code === 'string' && Object.hasOwn(errorCodes, code))
    return new ToolkitError(code as ErrorCode, message, isPlainObject(details) ? details : {});
  const error = new Error(message);
  for (const [key, value] of Object.entries({ ...members, name }))
    Object.defineProperty(error, key, { value, enumerable: key !== 'name', configurable: true, writable: true });
  return error;
}

function otherMembers(error: Error): JsonObject {
  const members = Object.entries(error).flatMap(([key, value]): (readonly [string, JsonValue])[] => {
    try {
      return value === undefined || key === 'name' || key === 'message' ? [] : [[key, toJsonValue(value)]];
    } catch {
      return [];
    }
  });
  return Object.fromEntries(members);
}
