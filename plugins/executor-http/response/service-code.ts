import { type ErrorCode, isPlainObject, type JsonValue } from '../../../kernel/index.ts';
import type { ErrorWhen } from '../definition/error-when.ts';
import { valueAt } from './answer-path.ts';
import { errorBodyText } from './error-body-text.ts';

interface ServiceCode {
  /** The service's own code, where the definition says where to find it. */
  readonly providerCode?: string;
  /** The error code that the definition maps it to. */
  readonly code?: ErrorCode;
}

/** Returns the code in the body of an error answer, whatever its status. */
export function serviceCode({ code_path: path, codes = {} }: Partial<ErrorWhen>, body: JsonValue): ServiceCode {
  const providerCode = textAt(body, path);
  const code = providerCode !== undefined && Object.hasOwn(codes, providerCode) ? codes[providerCode] : undefined;
  return { ...(providerCode === undefined ? {} : { providerCode }), ...(code === undefined ? {} : { code }) };
}

/** Returns the text or number at a path, or the message of an object. */
export function textAt(body: JsonValue, path: string | undefined): string | undefined {
  const value = path === undefined ? undefined : valueAt(body, path);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return value;
  return Array.isArray(value) || isPlainObject(value) ? errorBodyText(value) : undefined;
}
