import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  StreamableHTTPServerTransport,
  type StreamableHTTPServerTransportOptions,
} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isJSONRPCRequest, type JSONRPCMessage, type JSONRPCRequest, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { JsonAnswers } from '../json-answers.ts';

/** Requests whose handlers answer in the turn in which they are asked, with nothing before the answer. */
const lists = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'];

export function isListRequest(message: unknown): message is JSONRPCRequest {
  return isJSONRPCRequest(message) && lists.includes(message.method);
}

/**
 * The SDK's transport, which answers every request with a stream of events. Lists are answered with JSON instead: they can be compressed, and are
 * not kept for clients that lose the stream, because asking again costs no more.
 */
export class SessionTransport extends StreamableHTTPServerTransport {
  readonly #answers: JsonAnswers;
  readonly #asked = new Map<RequestId, (answer: JSONRPCMessage) => void>();

  constructor(options: StreamableHTTPServerTransportOptions, answers: JsonAnswers) {
    super(options);
    this.#answers = answers;
  }

  async answerList(request: IncomingMessage, response: ServerResponse, list: JSONRPCRequest): Promise<void> {
    const answer = await new Promise<JSONRPCMessage>((resolve) => {
      this.#asked.set(list.id, resolve);
      this.onmessage?.(list);
    });
    await this.#answers.send(request, response, JSON.stringify(answer), { 'mcp-session-id': this.sessionId ?? '' });
  }

  override async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    const id = 'method' in message ? undefined : message.id;
    const asked = id === undefined ? undefined : this.#asked.get(id);
    if (id === undefined || asked === undefined) return super.send(message, options);
    this.#asked.delete(id);
    asked(message);
  }
}
