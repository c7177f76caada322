import { isDeepStrictEqual } from 'node:util';
import {
  type CallContext,
  type ErrorWhen,
  excerpt,
  type Issue,
  type JsonValue,
  retryAfter,
  type Surroundings,
  type ToolDefinition,
  ToolkitError,
} from '../../kernel/index.ts';
import { valueAt } from './answer-path.ts';
import { meaningOf } from './meaning.ts';
import { providerWords } from './provider-words.ts';
import type { ReadResponse } from './response.ts';
import { errorRuleOf, serviceCode, textAt } from './service-code.ts';

/** The error that an answer with a status from 200 to 299 holds, where the definition says how to tell. */
export function answerError({ tool, mask }: CallContext, headers: Headers, { status, body }: ReadResponse): ToolkitError | undefined {
  const rule = errorRuleOf(tool);
  if (rule === undefined || !isError(rule, body)) return undefined;
  const { providerCode, code = 'EXECUTION_FAILED' } = serviceCode(tool, body);
  const written =
    [rule.message_path ?? []]
      .flat()
      .flatMap((path) => textAt(body, path) ?? [])
      .join('; ') || providerWords(body);
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

function isError(rule: ErrorWhen, body: JsonValue): boolean {
  const value = valueAt(body, rule.path);
  if (rule.exists === undefined) return value !== undefined && isDeepStrictEqual(value, rule.equals);
  if (typeof value !== 'object') return value !== undefined && value !== false && value !== '' && value !== 0;
  return value !== null && Object.keys(value).length > 0;
}

function waitOf({ retry_after_path: path }: ErrorWhen, body: JsonValue): number | undefined {
  const text = textAt(body, path)?.trim() ?? '';
  return /^\d{1,9}(\.\d+)?$/.test(text) ? Math.ceil(Number(text) * 1000) : undefined;
}
