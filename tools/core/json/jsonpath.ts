import type { FilterFunction, JSONPathEnvironment, JSONPathQuery } from 'json-p3';
import { type JsonValue, messageOf } from '../../../kernel/index.ts';
import { refuseLargeLiteral } from './large-literal.ts';
import { badQuery } from './query-error.ts';
import type { QueryResult } from './query-result.ts';
import { maxResultCharacters, remainingBudget, resultTooLarge } from './result-size.ts';

/** Maximum depth of `..`. The library's default is 50, which ordinary documents exceed. */
const maxDepth = 1000;

/** Returns the values that a JSONPath (RFC 9535) selects. Throws INVALID_PARAMETERS and OUTPUT_TOO_LARGE. */
export async function queryJsonPath(data: JsonValue, query: string): Promise<QueryResult> {
  const { JSONPathEnvironment } = await import('json-p3');
  const environment = new JSONPathEnvironment({ maxRecursionDepth: maxDepth });
  correctFunctions(environment);
  const compiled = compile(environment, query);
  refuseLargeLiteral(query, 'jsonpath');
  const values: unknown[] = [];
  let budget = maxResultCharacters;
  try {
    for (const { value } of compiled.lazyQuery(data as Parameters<JSONPathQuery['lazyQuery']>[0])) {
      budget = remainingBudget(value, budget - 1);
      if (budget < 0) throw resultTooLarge();
      values.push(value);
    }
  } catch (error) {
    throw asBadQuery(error, query);
  }
  return { result: values, matches: values.length };
}

/**
 * Replaces three functions of the library, which count UTF-16 code units and turn numbers and null into text. By the RFC `length` counts
 * characters (RFC 9535, 2.4.4); `match` and `search` of anything but a string are false (2.4.6, 2.4.7).
 */
function correctFunctions(environment: JSONPathEnvironment): void {
  wrap(environment, 'length', (inner, [value]) => (typeof value === 'string' ? Array.from(value).length : inner.call(value)));
  for (const name of ['match', 'search'])
    wrap(environment, name, (inner, [text, pattern]) => typeof text === 'string' && inner.call(text, pattern));
}

function wrap({ functionRegister }: JSONPathEnvironment, name: string, call: (inner: FilterFunction, args: unknown[]) => unknown): void {
  const inner = functionRegister.get(name);
  if (inner === undefined) return;
  functionRegister.set(name, { argTypes: inner.argTypes, returnType: inner.returnType, call: (...args) => call(inner, args) });
}

function compile(environment: JSONPathEnvironment, query: string): JSONPathQuery {
  if (query === '') throw badQuery('jsonpath', 'expected "$", received nothing', 0);
  try {
    return environment.compile(query);
  } catch (error) {
    throw asBadQuery(error, query);
  }
}

function asBadQuery(error: unknown, query: string): unknown {
  if (error instanceof RangeError) return badQuery('jsonpath', 'the query or the data is nested too deeply');
  const { name, token } = error as { name?: string; token?: { kind: string; value: string; index: number } };
  if (token === undefined) return error;
  if (name === 'JSONPathRecursionLimitError') return badQuery('jsonpath', `the data is nested deeper than ${maxDepth} levels`);
  return badQuery('jsonpath', problemOf(messageOf(error), token), Math.min(token.index, query.length));
}

function problemOf(message: string, token: { readonly kind: string; readonly value: string }): string {
  if (message.startsWith("can't backup")) return 'unexpected end of the query';
  if (message.startsWith('unexpected token') && token.kind === 'TOKEN_ERROR') return token.value;
  // The message ends with an excerpt of the query and the index: ('$.a[':4).
  return message.replace(/ \('[\s\S]*':\d+\)$/, '');
}
