import { isDeepStrictEqual } from 'node:util';
import { type CallContext, excerpt, isUnsafeInteger, type JsonValue, ToolkitError } from '../../../kernel/index.ts';
import { parseRetryAfterMs } from '../../shared/http/status.ts';
import type { ErrorWhen } from '../definition/error-when.ts';
import { valueAt } from './answer-path.ts';
import { errorAdvice } from './error-advice.ts';
import { errorBodyText } from './error-body-text.ts';
import type { ReadResponse } from './response.ts';
import { serviceCode, textAt } from './service-code.ts';

/** Returns the error in an answer with a status from 200 to 299, by the rule of the definition. */
export function answerError(
  { tool, mask }: CallContext,
  rule: ErrorWhen | undefined,
  headers: Headers,
  { status, body }: ReadResponse,
): ToolkitError | undefined {
  if (rule === undefined || !isError(rule, body)) return undefined;
  const { providerCode, code = 'EXECUTION_FAILED' } = serviceCode(rule, body);
  const messageText =
    [rule.message_path ?? []]
      .flat()
      .flatMap((path) => textAt(body, path) ?? [])
      .join('; ') || errorBodyText(body);
  const shownCode = excerpt(mask(providerCode ?? ''), 100);
  const displayedText = excerpt(mask([...new Set([providerCode ?? '', messageText])].filter((part) => part !== '').join(': ')));
  const retryAfterMs = retryAfterOf(rule, body) ?? parseRetryAfterMs(headers);
  return new ToolkitError(
    code,
    `The service answered ${status} to "${tool.name}", but the answer is an error: ${errorAdvice(code, tool)}.${displayedText === '' ? '' : ` It says: ${displayedText}`}`,
    {
      tool: tool.name,
      status,
      ...(shownCode === '' ? {} : { providerCode: shownCode }),
      ...(displayedText === '' ? {} : { providerMessage: displayedText }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  );
}

function isError(rule: ErrorWhen, body: JsonValue): boolean {
  const value = valueAt(body, rule.path);
  if (rule.exists === undefined)
    return value !== undefined && (isDeepStrictEqual(value, rule.equals) || isRoundedByYaml(value, rule.equals));
  if (typeof value !== 'object') return value !== undefined && value !== false && value !== '' && value !== 0;
  return value !== null && Object.keys(value).length > 0;
}

/** True for digits that YAML rounded when it read the definition. */
function isRoundedByYaml(value: JsonValue, declared: unknown): boolean {
  return typeof value === 'string' && isUnsafeInteger(value) && typeof declared === 'number' && Number(value) === declared;
}

function retryAfterOf({ retry_after_path: path }: ErrorWhen, body: JsonValue): number | undefined {
  const text = textAt(body, path)?.trim() ?? '';
  return /^\d{1,9}(\.\d+)?$/.test(text) ? Math.ceil(Number(text) * 1000) : undefined;
}
