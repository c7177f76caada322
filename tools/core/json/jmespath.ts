import type { JSONValue } from '@jmespath-community/jmespath';
import { type JsonValue, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { refuseLargeLiteral } from './large-literal.ts';
import { badQuery } from './query-error.ts';
import type { QueryResult } from './query-result.ts';
import { maxResultCharacters, remainingBudget, resultTooLarge } from './result-size.ts';
import { withoutPrototypes } from './without-prototypes.ts';

type Library = typeof import('@jmespath-community/jmespath');
type Compiled = ReturnType<Library['compile']>;

/** Runs a JMESPath expression. Throws INVALID_PARAMETERS and OUTPUT_TOO_LARGE. */
export async function queryJmesPath(data: JsonValue, query: string): Promise<QueryResult> {
  const library = await import('@jmespath-community/jmespath');
  const compiled = compile(library, query);
  refuseLargeLiteral(query, 'jmespath');
  const result = run(library, compiled, data, query) ?? null;
  if (remainingBudget(result, maxResultCharacters) < 0) throw resultTooLarge();
  if (result === null) return { result, matches: 0 };
  return { result, matches: Array.isArray(result) ? result.length : 1 };
}

function compile({ compile, tokenize }: Library, query: string): Compiled {
  try {
    return compile(query);
  } catch (error) {
    const problem = problemOf(error);
    const { name } = error as Error;
    if (name === 'LexerError') throw badQuery('jmespath', problem, firstFailure(allIndexes(query), query, problem, tokenize));
    if (name !== 'ParserError') throw badQuery('jmespath', problem);
    const starts = problem.includes('EOF') ? [query.length] : tokenize(query).map(({ start }) => start);
    throw badQuery('jmespath', problem, firstFailure(starts, query, problem, compile));
  }
}

function run({ TreeInterpreter, tokenize }: Library, compiled: Compiled, data: JsonValue, query: string): unknown {
  try {
    return TreeInterpreter.search(compiled, withoutPrototypes(data) as JSONValue);
  } catch (error) {
    if (ToolkitError.is(error)) throw error;
    const problem = problemOf(error);
    const unknownFunction = /^Unknown function: (\w+)\(\)/.exec(problem)?.[1];
    const token = tokenize(query).find(({ type, value }) => type === 'UnquotedIdentifier' && value === unknownFunction);
    throw badQuery('jmespath', problem, token?.start);
  }
}

function problemOf(error: unknown): string {
  return error instanceof RangeError ? `the query or its result is too large (${error.message})` : messageOf(error).replace(/\.$/, '');
}

/**
 * Finds the index of a mistake, which the library does not report. It reads from left to right, so the shortest prefix of the query that fails
 * with the same problem ends with the mistake. `candidates` are indexes in ascending order; a prefix ends where the next one starts.
 */
function firstFailure(candidates: readonly number[], query: string, problem: string, read: (text: string) => unknown): number {
  const failsBefore = (end: number): boolean => {
    try {
      read(query.slice(0, end));
      return false;
    } catch (error) {
      return problemOf(error) === problem;
    }
  };
  let [low, high] = [0, candidates.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (failsBefore(candidates[middle + 1] ?? query.length)) high = middle;
    else low = middle + 1;
  }
  return candidates[low] ?? query.length;
}

function allIndexes(query: string): number[] {
  return Array.from({ length: query.length }, (_, index) => index);
}
