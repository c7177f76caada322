import { excerpt, type JsonValue, ToolkitError } from '../../../kernel/index.ts';

/** Numbers from here on are written with an exponent, so they do not look exact. */
const exponentFrom = 1e21;

/**
 * Throws INVALID_PARAMETERS for data that would be written with another value: integers beyond 2^53, which JSON.parse has already rounded,
 * and text with half of a surrogate pair, which UTF-8 cannot hold. `parameter` names the parameter that holds the data.
 */
export function checkExact(data: JsonValue, parameter: string): void {
  const walk = (value: JsonValue, path: string): void => {
    if (typeof value === 'number') checkNumber(value, path);
    else if (typeof value === 'string') checkText(value, path);
    else if (Array.isArray(value)) value.forEach((item, index) => void walk(item, `${path}[${index}]`));
    else if (value !== null && typeof value === 'object') {
      for (const [name, member] of Object.entries(value)) {
        checkText(name, path);
        walk(member, `${path}.${name}`);
      }
    }
  };
  walk(data, parameter);
}

function checkNumber(value: number, path: string): void {
  if (!Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= exponentFrom) return;
  throw badData(path, `is the integer ${value}, beyond 2^53, and was rounded before it came here. Give it as text, with all its digits`);
}

function checkText(text: string, path: string): void {
  if (!text.isWellFormed()) throw badData(path, 'contains half of a surrogate pair. Take it out, or give the whole character');
}

export function badData(path: string, message: string): ToolkitError {
  const shown = excerpt(path, 100);
  return new ToolkitError('INVALID_PARAMETERS', `"${shown}" ${message}.`, { issues: [{ path: shown, message }] });
}
