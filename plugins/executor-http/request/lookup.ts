import { type Call, type CallContext, type Lookup, revealSecret } from '../../../kernel/index.ts';
import { encodingsOf, type HttpExecution } from '../definition/execution.ts';

/** Credentials first, then encoded values, then parameters. An encoding of which no source was given gives nothing either. */
export async function lookupOf(call: Call, execution: HttpExecution, context: CallContext): Promise<Lookup> {
  const given = new Map(Object.entries(call.parameters));
  const encoded = new Map<string, unknown>();
  for (const { source, target, encoding, options } of encodingsOf(execution)) {
    const values = Object.fromEntries(source.filter((name) => given.has(name)).map((name) => [name, given.get(name)]));
    encoded.set(target, Object.keys(values).length === 0 ? undefined : await context.encode(encoding, values, options));
  }
  return (name) => {
    const secret = call.credentials.get(name);
    if (secret !== undefined) return revealSecret(secret);
    return encoded.has(name) ? encoded.get(name) : given.get(name);
  };
}
