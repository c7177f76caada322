import { CreateMessageResultSchema, ElicitResultSchema, type LoggingLevel, type ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { type CallClient, checkValue, excerpt, type JsonSchema, type Logger, ToolkitError } from '../../../kernel/index.ts';
import type { Connection } from './connection.ts';
import type { Extra } from './router.ts';

/** Least severe first (RFC 5424, 6.2.1). */
const levels: readonly LoggingLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

const levelOf: Readonly<Record<keyof Logger, LoggingLevel>> = { error: 'error', warn: 'warning', info: 'info', debug: 'debug' };

/** In milliseconds, the most that a timer can take: the call's own time limit ends the wait for a person or a model, not the SDK's. */
const longWaitMs = 2 ** 31 - 1;

/**
 * What a running call can ask of its client, as far as that client declared it when it opened the connection. All of it is sent on the
 * stream of that call.
 */
export function callClient({ server, logLevel }: Connection, extra: Extra, tool: string): CallClient {
  const { elicitation, sampling } = server.getClientCapabilities() ?? {};
  // A client that says nothing about modes has forms (MCP, Elicitation, Capabilities).
  const hasForms = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  return {
    ...(hasForms ? { elicit: ({ message, schema }, signal) => elicit(extra, { message, requestedSchema: schema }, signal) } : {}),
    ...(sampling === undefined ? {} : { sample: (request, signal) => sample(extra, request, signal) }),
    log: (level, message, meta) => {
      if (levels.indexOf(levelOf[level]) < levels.indexOf(logLevel())) return;
      const data = meta === undefined || Object.keys(meta).length === 0 ? message : { ...meta, message };
      const params = { level: levelOf[level], logger: tool, data };
      void extra.sendNotification({ method: 'notifications/message', params }).catch(() => {});
    },
  };
}

async function elicit(extra: Extra, params: { message: string; requestedSchema: JsonSchema }, signal = extra.signal) {
  const request = { method: 'elicitation/create', params } as unknown as ServerRequest;
  const { action, content } = await extra.sendRequest(request, ElicitResultSchema, { signal, timeout: longWaitMs });
  const issues = action === 'accept' ? checkValue(params.requestedSchema, content ?? {}) : [];
  if (issues.length > 0) {
    const shown = issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
    throw new ToolkitError('EXECUTION_FAILED', `The client's answer does not fit the question: ${excerpt(shown)}.`, { issues });
  }
  return { action, ...(content === undefined || content === null ? {} : { content }) };
}

async function sample(extra: Extra, params: object, signal = extra.signal) {
  const request = { method: 'sampling/createMessage', params } as ServerRequest;
  const { content, model, stopReason } = await extra.sendRequest(request, CreateMessageResultSchema, { signal, timeout: longWaitMs });
  return { content: content as never, model, ...(stopReason === undefined ? {} : { stopReason }) };
}
