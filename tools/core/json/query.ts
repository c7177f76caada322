import { bracketNesting, type JsonValue, maxPatternNesting } from '../../../kernel/index.ts';
import { queryJmesPath } from './jmespath.ts';
import { queryJsonPath } from './jsonpath.ts';
import { followPointer } from './pointer.ts';
import { badQuery } from './query-error.ts';
import type { QueryResult } from './query-result.ts';

interface QueryParameters {
  readonly data: JsonValue;
  readonly query: string;
  readonly language: 'jsonpath' | 'jmespath' | 'pointer';
}

/**
 * Runs a query over a JSON value. Throws INVALID_PARAMETERS for an invalid query, with the index of the mistake where one is known, and
 * OUTPUT_TOO_LARGE. May run for a very long time: queries can repeat themselves and hold regular expressions.
 */
export async function query({ data, query: text, language }: QueryParameters): Promise<QueryResult> {
  if (language === 'pointer') return followPointer(data, text);
  // Both languages compile the patterns in a query.
  const nesting = bracketNesting(text);
  if (nesting > maxPatternNesting)
    throw badQuery(language, `${nesting} brackets are inside each other, expected at most ${maxPatternNesting}`);
  return language === 'jmespath' ? queryJmesPath(data, text) : queryJsonPath(data, text);
}
