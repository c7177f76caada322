import type { ExecutionResult, JsonValue } from '../../../kernel/index.ts';
import { keyOfHeader, type OutputHeaders } from '../definition/output-headers.ts';

/** Limit of one header, in characters. */
const maxCharacters = 4096;

/**
 * Returns a result with the output `{headers, body}`. `isEmpty`: the answer had no content, so that the output has no `body`. An image or a sound
 * stays as content, followed by the headers as text.
 */
export function withHeaders(result: ExecutionResult, names: OutputHeaders, from: Headers, isEmpty: boolean): ExecutionResult {
  const headers = Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = from.get(name);
      return value === null ? [] : [[keyOfHeader(name), value.slice(0, maxCharacters)]];
    }),
  );
  const output = { headers, ...(isEmpty ? {} : { body: result.output as JsonValue }) };
  if (result.content === undefined) return { ...result, output };
  return { ...result, output, content: [...result.content, { type: 'text', text: JSON.stringify({ headers }) }] };
}
