import type { Call, CallContext, CallIdentity } from '../../../kernel/index.ts';
import type { HttpExecution } from '../definition/execution.ts';
import { makeLookup } from './lookup.ts';
import { requestUrl } from './request.ts';

/** Returns the destination of a call: its method, and its URL without parts that only authenticate. */
export async function destinationOf(execution: HttpExecution, call: Call, context: CallContext): Promise<CallIdentity> {
  const url = requestUrl(execution, await makeLookup(call, execution, context), (name) => call.credentials.has(name));
  url.username = '';
  url.password = '';
  return { destination: { shown: `${execution.method.toUpperCase()} ${url.href}` } };
}
