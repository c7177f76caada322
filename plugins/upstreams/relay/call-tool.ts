import { type Call, type CallContext, type ExecutionResult, type JsonObject, ToolkitError } from '../../../kernel/index.ts';
import type { Asker } from '../ask/asker.ts';
import type { ReportedProgress } from '../connect/progress-routes.ts';
import type { Connection } from '../connection.ts';
import type { UpstreamExecution } from '../execution.ts';
import type { Upstream } from '../upstream.ts';
import { onConnection } from './on-connection.ts';
import { withRequestSpan } from './request-span.ts';
import { toolResult } from './tool-result.ts';

/** Runs a call on its server: within its limits, on the connection of its caller, only while the tool is as it was accepted. */
export async function callTool(
  upstream: Upstream,
  { tool, digest }: UpstreamExecution,
  call: Call,
  context: CallContext,
): Promise<ExecutionResult> {
  const { signal } = context;
  const goOn = context.pauseClock();
  const free = await upstream.queue.take(signal).finally(goOn);
  const asking = startAsking(context);
  const unmask = upstream.login?.maskIn(context);
  try {
    const result = await onConnection(upstream, {
      ...{ tool: call.tool, signal, asking },
      connect: () => connect(upstream, context),
      async send(connection) {
        await refuseChanged(connection, tool, digest, call);
        const parameters = call.parameters as JsonObject;
        const onProgress = (progress: ReportedProgress): void => report(context, progress);
        const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool };
        return withRequestSpan(context, { upstream, connection }, { method: 'tools/call', target: tool, attributes }, (traceparent) =>
          connection.callTool(tool, parameters, asking.asker, { onProgress, traceparent }),
        );
      },
    });
    return toolResult(result, call.tool.name);
  } finally {
    unmask?.();
    asking.end();
    free();
  }
}

function connect(upstream: Upstream, context: CallContext): Promise<Connection> {
  const goOn = context.pauseClock();
  return upstream.connectionFor(context, upstream.values.ofCall(context), context.signal).finally(goOn);
}

/** Returns the asker of one request. `failure`: the error with which a question ended it. */
export function startAsking({ caller, client, signal }: Pick<CallContext, 'caller' | 'client' | 'signal'>): {
  readonly asker: Asker;
  readonly failure: unknown;
  end(): void;
} {
  // Without questions nothing but the call itself ends the request.
  if (client.elicit === undefined && client.sample === undefined)
    return { asker: { caller, client, signal, fail: () => {} }, failure: undefined, end: () => {} };
  const ended = new AbortController();
  let failure: unknown;
  const stop = (): void => ended.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const asker: Asker = {
    caller,
    client,
    signal: ended.signal,
    fail: (error) => {
      failure = error;
      ended.abort(error);
    },
  };
  return {
    asker,
    get failure() {
      return failure;
    },
    end: () => signal.removeEventListener('abort', stop),
  };
}

/** Throws APPROVAL_REQUIRED for a tool that is not as it was accepted. */
async function refuseChanged(connection: Connection, tool: string, digest: string, call: Call): Promise<void> {
  const current = await connection.digestOf(tool);
  if (current === digest) return;
  const server = call.tool.origin.source?.name ?? '';
  const how = current === undefined ? 'is no longer offered by' : 'has changed on';
  const message = `"${call.tool.name}" ${how} the MCP server "${server}" since it was accepted. A person has to see it first: toolkit upstream diff ${server}`;
  throw new ToolkitError('APPROVAL_REQUIRED', message, { tool: call.tool.name });
}

function report(context: CallContext, { progress, total, message }: ReportedProgress): void {
  context.progress({
    ...(typeof progress === 'number' ? { progress } : {}),
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  });
}
