import {
  type CallClient,
  checkValue,
  excerpt,
  type Logger,
  maskedClient,
  parseUrl,
  type Question,
  type SamplingRequest,
  ToolkitError,
  type UrlAnswer,
  type UrlRequest,
} from '../../../../kernel/index.ts';
import type { CreateMessageResult, ElicitResult, ListRootsResult, LogLevel } from '../../../shared/mcp-sdk/types.ts';
import type { Connection } from '../clients/connection.ts';
import type { Exchange } from '../clients/exchange.ts';
import { logLevels } from '../log-levels.ts';
import type { Revision } from '../revisions.ts';

const levelOf: Readonly<Record<keyof Logger, LogLevel>> = { error: 'error', warn: 'warning', info: 'info', debug: 'debug' };

/** Returns the client as a running call sees it, limited to the capabilities that it declared. Messages go to the stream of that call. */
export function callClient(connection: Connection, exchange: Exchange, tool: string): CallClient {
  const { elicitation, sampling, roots } = connection.client.capabilities;
  const { scopes } = exchange.context.arrival;
  // A client that declares no elicitation modes supports forms (MCP, Elicitation, Capabilities).
  const hasForms = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  const { logLevel: level } = connection;
  const isShown = (severity: LogLevel): boolean => {
    const { logLevel } = connection;
    return logLevel !== undefined && logLevels.indexOf(severity) >= logLevels.indexOf(logLevel);
  };
  return {
    ...(scopes === undefined ? {} : { scopes }),
    ...(hasForms ? { elicit: (question, signal) => elicit(exchange, question, signal) } : {}),
    ...(elicitation?.url === undefined
      ? {}
      : { elicitUrl: (request, signal) => elicitUrl(connection.revision, exchange, request, signal) }),
    ...(sampling === undefined ? {} : { sample: (request, signal) => sample(exchange, request, signal) }),
    ...(roots === undefined ? {} : { roots: (signal) => listRoots(exchange, signal) }),
    ...(exchange.context.convertToTask === undefined ? {} : { later: (status) => exchange.context.convertToTask?.(status) }),
    ...(exchange.context.answersRecord === undefined ? {} : { answersRecord: exchange.context.answersRecord }),
    ...(exchange.context.repeatsRequest === true ? { repeatsCall: true } : {}),
    ...(level === undefined ? {} : { logLevel: level }),
    logEntry: (entry) => {
      if (isShown(entry.level)) exchange.notify('notifications/message', { ...entry });
    },
    log: (severity, message, meta) => {
      if (!isShown(levelOf[severity])) return;
      const data = meta === undefined || Object.keys(meta).length === 0 ? message : { ...meta, message };
      exchange.notify('notifications/message', { level: levelOf[severity], logger: tool, data });
    },
  };
}

/** Returns the client for code that reads a prompt or a resource. It has no log, and secrets in questions are masked. */
export function readingClient(connection: Connection, exchange: Exchange, name: string): CallClient {
  const { kernel } = connection.catalog;
  const { log: _log, ...asking } = callClient(connection, exchange, name);
  return maskedClient(asking, { mask: (value) => kernel.mask(value), reach: () => 0 }, () => exchange.signal);
}

async function elicit(exchange: Exchange, { message, schema, mode, _meta, ...named }: Question, signal = exchange.signal) {
  const params = {
    ...(mode === undefined ? {} : { mode }),
    message,
    requestedSchema: schema,
    ...(_meta === undefined ? {} : { _meta }),
  };
  const answer = await exchange.context.ask({ method: 'elicitation/create', params, ...named }, signal);
  const { action, content, _meta: answerMeta } = answer as unknown as ElicitResult;
  const issues = action === 'accept' ? checkValue(schema, content ?? {}) : [];
  if (issues.length > 0) {
    const shownForm = issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
    throw new ToolkitError('EXECUTION_FAILED', `The client's answer does not fit the question: ${excerpt(shownForm)}.`, { issues });
  }
  return {
    action,
    ...(content === undefined || content === null ? {} : { content }),
    ...(answerMeta === undefined ? {} : { _meta: answerMeta }),
  };
}

/** Asks the person to open an address (MCP, Elicitation, URL Mode). Since 2026-07-28 clients get no id and no notice of the end. */
async function elicitUrl(
  { hasElicitationIds }: Revision,
  exchange: Exchange,
  { message, url, elicitationId, ...named }: UrlRequest,
  signal = exchange.signal,
): Promise<UrlAnswer> {
  // A client may hand the address to the operating system, which opens more than pages.
  if (!['http:', 'https:'].includes(parseUrl(url)?.protocol ?? ''))
    throw new ToolkitError('EXECUTION_FAILED', 'The tool asked its client to open an address that is not http or https. Correct the tool.');
  const params = { mode: 'url', message, url, ...(hasElicitationIds ? { elicitationId } : {}) };
  const answer = await exchange.context.ask({ method: 'elicitation/create', params, ...named }, signal);
  const { action } = answer as unknown as ElicitResult;
  return { action, complete: () => exchange.context.notifyClient?.('notifications/elicitation/complete', { elicitationId }) };
}

async function sample(exchange: Exchange, { name, ...params }: SamplingRequest, signal = exchange.signal) {
  const question = { method: 'sampling/createMessage', params: { ...params }, ...(name === undefined ? {} : { name }) } as const;
  const { content, model, stopReason, _meta } = (await exchange.context.ask(question, signal)) as unknown as CreateMessageResult;
  return {
    content: content as never,
    model,
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

async function listRoots(exchange: Exchange, signal = exchange.signal) {
  const { roots } = (await exchange.context.ask({ method: 'roots/list', params: {} }, signal)) as unknown as ListRootsResult;
  return roots.map(({ uri, name }) => ({ uri, ...(name === undefined ? {} : { name }) }));
}
