import { excerpt, ToolkitError } from '../../../kernel/index.ts';

const advice = {
  jsonpath: 'JSONPath (RFC 9535) looks like $.items[?@.price < 10].name',
  jmespath: 'JMESPath looks like items[?price < `10`].name',
  pointer: 'A JSON pointer (RFC 6901) looks like /items/0/name, with ~1 for "/" and ~0 for "~" in a name',
} as const;

/** Builds INVALID_PARAMETERS for a query. `index` counts UTF-16 code units from 0; messages and details count from 1. */
export function badQuery(language: keyof typeof advice, problem: string, index?: number): ToolkitError {
  const position = index === undefined ? undefined : index + 1;
  const place = position === undefined ? '' : ` at character ${position}`;
  const reason = excerpt(problem);
  return new ToolkitError('INVALID_PARAMETERS', `The ${language} query is wrong${place}: ${reason}. ${advice[language]}.`, {
    issues: [{ path: 'query', message: `is wrong${place}: ${reason}` }],
    ...(position === undefined ? {} : { position }),
  });
}
