import type { Call, CallContext, CallIdentity } from '../../../kernel/index.ts';
import type { HttpExecution } from '../definition/execution.ts';
import { chooseBody } from './choose-body.ts';
import { makeLookup } from './lookup.ts';
import { requestUrl } from './request.ts';

/** Returns the destination of a call: its method, and its URL without parts that only authenticate. Throws INVALID_PARAMETERS. */
export async function destinationOf(execution: HttpExecution, call: Call, context: CallContext): Promise<CallIdentity> {
  const lookup = await makeLookup(call, execution, context);
  const url = requestUrl(chooseBody(execution, call, lookup), lookup, (name) => call.credentials.has(name));
  url.username = '';
  url.password = '';
  return { destination: { shown: `${execution.method.toUpperCase()} ${url.href}` } };
}
