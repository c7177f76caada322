import { isDeepStrictEqual } from 'node:util';
import {
  type CallContext,
  type ErrorCode,
  type ErrorWhen,
  excerpt,
  type Issue,
  isPlainObject,
  type JsonValue,
  retryAfter,
  type Surroundings,
  type Tool,
  type ToolDefinition,
  ToolkitError,
} from '../../kernel/index.ts';
import { valueAt } from './answer-path.ts';
import { meaningOf } from './failure.ts';
import { providerWords } from './provider-words.ts';
import type { ReadResponse } from './response.ts';

/** The error that an answer with a status from 200 to 299 holds, where the definition says how to tell. */
export function answerError({ tool, mask }: CallContext, headers: Headers, { status, body }: ReadResponse): ToolkitError | undefined {
  const rule = ruleOf(tool);
  if (rule === undefined || !isError(rule, body)) return undefined;
  const providerCode = textAt(body, rule.code_path);
  const code = codeOf(rule, providerCode);
  const written = textAt(body, rule.message_path) ?? providerWords(body);
  const shownCode = excerpt(mask(providerCode ?? ''), 100);
  const words = excerpt(mask([...new Set([providerCode ?? '', written])].filter((part) => part !== '').join(': ')));
  const retryAfterMs = waitOf(rule, body) ?? retryAfter(headers);
  return new ToolkitError(
    code,
    `The service answered ${status} to "${tool.name}", but the answer is an error: ${meaningOf(code, tool)}.${words === '' ? '' : ` It says: ${words}`}`,
    {
      tool: tool.name,
      status,
      ...(shownCode === '' ? {} : { providerCode: shownCode }),
      ...(words === '' ? {} : { providerMessage: words }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  );
}

/** What the schema cannot say: one condition, in the rule of the tool or in the one that it gets from its provider. */
export function checkErrorWhen({ error_when: own }: ToolDefinition, _execution: unknown, { provider }: Surroundings): readonly Issue[] {
  const rule = own ?? provider?.error_when;
  if (rule === undefined) return [];
  const given = ['equals', 'exists'].filter((key) => Object.hasOwn(rule, key));
  if (given.length === 1) return [];
  const whose = own === undefined ? `of the provider "${provider?.provider.name}" ` : '';
  const received = given.length === 0 ? 'neither' : 'both';
  return [{ path: 'error_when', pointer: '/error_when', message: `${whose}has ${received} of "equals" and "exists". Keep one of the two` }];
}

function ruleOf({ definition, provider }: Tool): ErrorWhen | undefined {
  return definition.error_when ?? provider?.definition.error_when;
}

function isError(rule: ErrorWhen, body: JsonValue): boolean {
  const value = valueAt(body, rule.path);
  if (rule.exists === undefined) return value !== undefined && isDeepStrictEqual(value, rule.equals);
  if (typeof value !== 'object') return value !== undefined && value !== false && value !== '' && value !== 0;
  return value !== null && Object.keys(value).length > 0;
}

function codeOf({ codes = {} }: ErrorWhen, providerCode: string | undefined): ErrorCode {
  return (providerCode !== undefined && Object.hasOwn(codes, providerCode) ? codes[providerCode] : undefined) ?? 'EXECUTION_FAILED';
}

/** The text or number at a path. Of an object, its words. */
function textAt(body: JsonValue, path: string | undefined): string | undefined {
  const value = path === undefined ? undefined : valueAt(body, path);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return value;
  return Array.isArray(value) || isPlainObject(value) ? providerWords(value) : undefined;
}

function waitOf({ retry_after_path: path }: ErrorWhen, body: JsonValue): number | undefined {
  const text = textAt(body, path)?.trim() ?? '';
  return /^\d{1,9}(\.\d+)?$/.test(text) ? Math.ceil(Number(text) * 1000) : undefined;
}
