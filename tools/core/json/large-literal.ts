import { isUnsafeInteger } from '../../../kernel/index.ts';
import { badQuery } from './query-error.ts';

/** Matches strings, quoted names, names and numbers. */
const tokens = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[\p{L}_][\p{L}\p{N}_]*|-?\d[\d.]*(?:[eE][+-]?\d+)?/gsu;

/**
 * Throws INVALID_PARAMETERS for a well-formed query that compares with an integer beyond 2^53: the libraries round it, and in the data such an
 * integer is a text.
 */
export function refuseLargeLiteral(query: string, language: 'jsonpath' | 'jmespath'): void {
  for (const { 0: token, index } of query.matchAll(tokens))
    if (isUnsafeInteger(token))
      throw badQuery(language, `${token} is an integer beyond 2^53, and such integers are texts in the data: write it in quotes`, index);
}
