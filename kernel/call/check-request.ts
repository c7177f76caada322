import { ToolkitError } from '../errors.ts';
import { describeValue } from '../json/json.ts';
import { checkTrace } from './check-trace.ts';
import type { CallRequest } from './request.ts';

type NamedCall = Required<Pick<CallRequest, 'tool' | 'parameters'>>;

/** Throws INVALID_PARAMETERS for a request without the name of a tool, or with a `trace` of another form, which only untyped code can give. */
export function checkRequest(request: CallRequest): void {
  if (typeof request?.tool !== 'string') throw unnamedTool(request);
  if (request.trace !== undefined) checkTrace(request.tool, request.trace);
}

function unnamedTool(request: CallRequest): ToolkitError {
  const isObject = typeof request === 'object' && request !== null;
  const received = isObject ? `${describeValue(request.tool)} for "tool"` : describeValue(request);
  const expected = 'expected one object, { tool: "name", parameters: { … } }';
  const advice = typeof request === 'string' ? ' "execute" takes the name and the parameters as two arguments.' : '';
  return new ToolkitError('INVALID_PARAMETERS', `A call needs the name of a tool: ${expected}, received ${received}.${advice}`);
}

/** Returns the request of `execute`, with a copy of the parameters. Throws INVALID_PARAMETERS for a name or options that untyped code gives wrongly. */
export function requestOf<T extends object>(tool: string, parameters: object | undefined, options: T): T & NamedCall {
  if (typeof tool !== 'string') {
    const message = `A call needs the name of a tool: expected execute("name", { … }), received ${describeValue(tool)} for the name.`;
    throw new ToolkitError('INVALID_PARAMETERS', message);
  }
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const message = `The options of a call of "${tool}" are wrong: expected an object such as { caller: "ada" }, received ${describeValue(options)}.`;
    throw new ToolkitError('INVALID_PARAMETERS', message, { tool });
  }
  // Anything but an object is refused by the call itself, so that its end is notified.
  const isObject = parameters === undefined || (typeof parameters === 'object' && !Array.isArray(parameters));
  return { ...options, tool, parameters: (isObject ? { ...parameters } : parameters) as NamedCall['parameters'] };
}
