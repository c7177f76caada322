import type { Client } from '@modelcontextprotocol/client';
import {
  excerpt,
  isPlainObject,
  type JsonObject,
  type JsonValue,
  type LogEntry,
  type Logger,
  ToolkitError,
} from '../../../kernel/index.ts';
import { printable } from '../connect/printable.ts';
import { relayedMeta } from '../relay/relayed-meta.ts';
import { type AnswerSettings, answerRequest, declined, isDeclined, rootsResult, type ServerRequest } from './answer-request.ts';
import type { Asker } from './asker.ts';
import { RunningRequests, type Uncertain } from './running-requests.ts';

export interface ServerRequestsOptions extends AnswerSettings {
  readonly logger: Logger;
  /** True when all requests of the connection are of one caller. */
  readonly isOfOneCaller: boolean;
  /** Called when the server asks while it is not certain for which call. */
  readonly onUncertain: (reason: Uncertain) => void;
}

/** Maximum questions in one result. */
const maxQuestions = 32;

/** Reasons of refusals. */
const uncertain: Readonly<Record<Uncertain, string>> = {
  idle: 'no call runs for which it could ask',
  several: 'several calls run, and it is not certain whose call asks',
  abandoned: 'a call of another caller was given up, and it is not certain whose call asks',
};

/** Answers what a server asks on one connection, for the caller whose call asks. Writes its log. */
export class ServerRequests {
  readonly running: RunningRequests;
  readonly #options: ServerRequestsOptions;

  constructor(options: ServerRequestsOptions) {
    this.#options = options;
    this.running = new RunningRequests(options.isOfOneCaller);
  }

  /** Sets the handlers of a client. */
  prepare(client: Client): void {
    client.setRequestHandler('roots/list', () => rootsResult(this.#options.roots()) as never);
    client.setRequestHandler('elicitation/create', ({ params }) => this.#onAsked({ method: 'elicitation/create', params }) as never);
    if (this.#options.sampling)
      client.setRequestHandler(
        'sampling/createMessage',
        ({ params }) => this.#onAsked({ method: 'sampling/createMessage', params }) as never,
      );
    client.setNotificationHandler('notifications/message', ({ params }) => this.#onLog(params));
  }

  /** Returns the members with which a request is repeated after an `input_required` result (MCP 2026-07-28, Multi Round-Trip Requests). */
  async answersTo({ inputRequests, requestState }: Readonly<Record<string, unknown>>, asker: Asker, round: number): Promise<object> {
    const asked = Object.entries(isPlainObject(inputRequests) ? inputRequests : {});
    if (asked.length > maxQuestions) {
      const message = `The MCP server "${this.#options.name}" asks ${asked.length} questions at once; at most ${maxQuestions} are answered.`;
      throw new ToolkitError('EXECUTION_FAILED', message, {});
    }
    const answers: [string, JsonObject][] = [];
    for (const [key, request] of asked) {
      const { method, params } = (isPlainObject(request) ? request : {}) as Readonly<Record<string, unknown>>;
      const name = `${this.#options.name}.${round}.${key}`;
      answers.push([key, await this.#answer({ method: String(method), params: isPlainObject(params) ? params : {}, key: name }, asker)]);
    }
    const inputResponses = Object.fromEntries(answers);
    return { ...(asked.length === 0 ? {} : { inputResponses }), ...(requestState === undefined ? {} : { requestState }) };
  }

  async #answer(asked: ServerRequest, asker: Asker): Promise<JsonObject> {
    const answer = await answerRequest(asked, asker, this.#options);
    if (!isDeclined(answer)) return answer;
    this.#logDeclined(asked.method, answer.reason);
    return answer.result;
  }

  /** Answers an own request of a server of 2025: only when it is certain whose call asks. */
  async #onAsked(asked: ServerRequest): Promise<JsonObject> {
    const asker = this.running.certain();
    if (typeof asker === 'string') {
      this.#options.onUncertain(asker);
      this.#logDeclined(asked.method, uncertain[asker]);
      if (asked.method !== 'elicitation/create') throw new Error(`Declined: ${uncertain[asker]}.`);
      return declined(uncertain[asker]).result;
    }
    try {
      return await this.#answer(asked, asker);
    } catch (error) {
      // The client of the caller answers in another request: the call ends, and runs again then.
      if (ToolkitError.is(error) && asked.method === 'elicitation/create') asker.fail(error);
      throw error;
    }
  }

  #onLog({ level, logger: part, data, _meta }: LogMessage): void {
    const { name, logger } = this.#options;
    const asker = this.running.certainCaller();
    const { client } = typeof asker === 'string' ? {} : asker;
    if (client?.logEntry !== undefined && isPassable(data)) {
      const named = typeof part === 'string' ? { logger: part } : {};
      client.logEntry({ level, ...named, data: data as JsonValue, ...relayedMeta(_meta) });
      return;
    }
    const text = excerpt(printable(typeof data === 'string' ? data : JSON.stringify(data)), 500);
    if (client?.log === undefined) logger.debug(`the MCP server "${name}" logs: ${text}`);
    else client.log(levels[level] ?? 'error', text);
  }

  #logDeclined(method: string, reason: string): void {
    const { name, logger } = this.#options;
    logger.warn(`declined a question of the MCP server "${name}" (${excerpt(printable(method), 60)}): ${reason}`, { server: name });
  }
}

type LogMessage = Pick<LogEntry, 'level'> & { readonly logger?: unknown; readonly data?: unknown; readonly _meta?: unknown };

/** Maximum UTF-16 units of the data of an entry that is relayed whole, as JSON. Of a longer one the beginning is shown. */
const maxEntry = 100_000;

function isPassable(data: unknown): boolean {
  return data !== undefined && JSON.stringify(data).length <= maxEntry;
}

const levels: Readonly<Record<string, 'debug' | 'info' | 'warn'>> = { debug: 'debug', info: 'info', notice: 'info', warning: 'warn' };
