import type { CreateMessageResult, ElicitResult, LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { type CallClient, checkValue, excerpt, type JsonSchema, type Logger, ToolkitError } from '../../../kernel/index.ts';
import type { Connection } from './connection.ts';
import type { Exchange, Question } from './exchange.ts';

/** Least severe first (RFC 5424, 6.2.1). */
const levels: readonly LoggingLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

const levelOf: Readonly<Record<keyof Logger, LoggingLevel>> = { error: 'error', warn: 'warning', info: 'info', debug: 'debug' };

/**
 * What a running call can ask of its client, as far as that client declared it when it opened the connection. All of it is sent on the
 * stream of that call.
 */
export function callClient(connection: Connection, exchange: Exchange, tool: string): CallClient {
  const { elicitation, sampling } = connection.client.capabilities;
  // A client that says nothing about modes has forms (MCP, Elicitation, Capabilities).
  const hasForms = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  return {
    ...(exchange.scopes === undefined ? {} : { scopes: exchange.scopes }),
    ...(hasForms ? { elicit: ({ message, schema }, signal) => elicit(exchange, { message, requestedSchema: schema }, signal) } : {}),
    ...(sampling === undefined ? {} : { sample: (request, signal) => sample(exchange, request, signal) }),
    log: (level, message, meta) => {
      if (levels.indexOf(levelOf[level]) < levels.indexOf(connection.logLevel)) return;
      const data = meta === undefined || Object.keys(meta).length === 0 ? message : { ...meta, message };
      exchange.notify({ method: 'notifications/message', params: { level: levelOf[level], logger: tool, data } });
    },
  };
}

async function elicit(exchange: Exchange, params: { message: string; requestedSchema: JsonSchema }, signal = exchange.signal) {
  const { action, content } = (await exchange.ask({ method: 'elicitation/create', params }, signal)) as unknown as ElicitResult;
  const issues = action === 'accept' ? checkValue(params.requestedSchema, content ?? {}) : [];
  if (issues.length > 0) {
    const shown = issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
    throw new ToolkitError('EXECUTION_FAILED', `The client's answer does not fit the question: ${excerpt(shown)}.`, { issues });
  }
  return { action, ...(content === undefined || content === null ? {} : { content }) };
}

async function sample(exchange: Exchange, params: object, signal = exchange.signal) {
  const question = { method: 'sampling/createMessage', params } as Question;
  const { content, model, stopReason } = (await exchange.ask(question, signal)) as unknown as CreateMessageResult;
  return { content: content as never, model, ...(stopReason === undefined ? {} : { stopReason }) };
}
