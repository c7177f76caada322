import { type Call, type CallContext, exactLookup, type Lookup, revealSecret } from '../../../kernel/index.ts';
import { encodingsOf, type HttpExecution } from '../definition/execution.ts';
import { exactEncodings } from './encodings.ts';

/**
 * Makes the lookup of placeholders: credentials first, then encoded values, then parameters. An encoding without any given
 * source has no value.
 */
export async function makeLookup(call: Call, execution: HttpExecution, context: CallContext): Promise<Lookup> {
  const parameterMap = new Map(Object.entries(call.parameters));
  const encoded = new Map<string, unknown>();
  const parameter = exactLookup(call.tool, (name) => parameterMap.get(name));
  for (const { source, target, encoding, options } of encodingsOf(execution)) {
    const value = exactEncodings.includes(encoding) ? parameter : (name: string): unknown => parameterMap.get(name);
    const values = Object.fromEntries(source.filter((name) => parameterMap.has(name)).map((name) => [name, value(name)]));
    encoded.set(target, Object.keys(values).length === 0 ? undefined : await context.encode(encoding, values, options));
  }
  return (name) => {
    const secret = call.credentials.get(name);
    if (secret !== undefined) return revealSecret(secret);
    return encoded.has(name) ? encoded.get(name) : parameter(name);
  };
}
