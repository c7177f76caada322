import { pathToFileURL } from 'node:url';
import { checkValue, excerpt, isPlainObject, type JsonObject, type SamplingRequest, ToolkitError } from '../../../kernel/index.ts';
import { relayedMeta } from '../relay/relayed-meta.ts';
import type { Asker } from './asker.ts';
import { elicitation } from './elicitation.ts';

/** The settings for requests of a server. */
export interface AnswerSettings {
  /** The name of the server, which the person sees. */
  readonly name: string;
  readonly sampling: boolean;
  /** The folders of the operator, absolute. */
  readonly roots: () => readonly string[];
}

/** A request of a server to its client: an own request until 2025-11-25, a part of `input_required` since 2026-07-28. */
export interface ServerRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Unique among the questions of the call. */
  readonly key?: string;
}

/** A refusal, with its reason for the log. */
export interface Declined {
  readonly result: JsonObject;
  readonly reason: string;
}

/**
 * Answers a request of a server for the caller who asks, or declines it with a reason. Throws what the client of the caller throws, such as when it
 * answers in another request.
 */
export async function answerRequest(asked: ServerRequest, asker: Asker, settings: AnswerSettings): Promise<JsonObject | Declined> {
  if (asked.method === 'roots/list') return rootsResult(settings.roots());
  if (asked.method === 'elicitation/create') return elicit(asked, asker, settings);
  if (asked.method === 'sampling/createMessage') return sample(asked, asker, settings);
  return { result: {}, reason: `it asks for "${excerpt(asked.method, 60)}", which is unknown here` };
}

/** True for a refusal. */
export function isDeclined(answer: JsonObject | Declined): answer is Declined {
  return typeof answer['reason'] === 'string' && isPlainObject(answer['result']);
}

/** Returns a refusal of an elicitation, which has no member for a reason. */
export function declined(reason: string): Declined {
  return { result: { action: 'decline', _meta: { 'toolkit/reason': reason } }, reason };
}

/** Returns the operator's folders as roots (MCP, Roots). */
export function rootsResult(roots: readonly string[]): JsonObject {
  return { roots: roots.map((root) => ({ uri: pathToFileURL(root).href, name: root.split(/[\\/]/).at(-1) ?? root })) };
}

async function elicit({ params, key }: ServerRequest, { client, signal }: Asker, { name }: AnswerSettings): Promise<JsonObject | Declined> {
  const question = elicitation(name, params);
  if (typeof question === 'string') return declined(question);
  if (client.elicit === undefined) return declined('the client of the caller cannot ask its person');
  const {
    action,
    content = {},
    _meta: answerMeta,
  } = await client.elicit({ ...question, ...relayedMeta(params['_meta']), ...(key === undefined ? {} : { name: key }) }, signal);
  const meta = relayedMeta(answerMeta);
  if (action !== 'accept') return { action, ...meta };
  const [issue] = checkValue(question.schema, content);
  if (issue !== undefined) {
    const shown = excerpt(`${issue.path} ${issue.message}`.trim(), 200);
    throw new ToolkitError('EXECUTION_FAILED', `The answer to a question of the MCP server "${name}" does not fit it: ${shown}.`, {});
  }
  // The server gets nothing that it did not ask for.
  const asked = Object.keys(question.schema['properties'] as JsonObject);
  return {
    action,
    content: Object.fromEntries(asked.flatMap((key) => (Object.hasOwn(content, key) ? [[key, content[key]]] : []))) as JsonObject,
    ...meta,
  };
}

async function sample(
  { params, key }: ServerRequest,
  { client, signal }: Asker,
  { sampling }: AnswerSettings,
): Promise<JsonObject | Declined> {
  const refuse = (reason: string): never => {
    throw new SamplingRefused(reason);
  };
  if (!sampling) refuse('sampling is off for this server');
  if (client.sample === undefined) refuse('the client of the caller has no model to ask');
  const { messages, maxTokens, _meta } = params;
  if (!Array.isArray(messages) || typeof maxTokens !== 'number') return refuse('it asks a model without messages or a limit');
  const request = {
    messages: messages as SamplingRequest['messages'],
    maxTokens,
    ...Object.fromEntries(samplingMembers.flatMap((member) => (params[member] === undefined ? [] : [[member, params[member]]]))),
    ...relayedMeta(_meta),
    ...(key === undefined ? {} : { name: key }),
  };
  const { content, model, stopReason, _meta: answerMeta } = await (client.sample as NonNullable<typeof client.sample>)(request, signal);
  return {
    role: 'assistant',
    content: content as never,
    model,
    ...(stopReason === undefined ? {} : { stopReason }),
    ...relayedMeta(answerMeta),
  };
}

/** The members of a request to a model that are relayed as they are. Tools are not: this client declares none. */
const samplingMembers = ['systemPrompt', 'temperature', 'stopSequences', 'modelPreferences', 'includeContext', 'metadata'] as const;

/** The refusal of a request for sampling, which the server gets as an error (MCP, Sampling, Error Handling). */
export class SamplingRefused extends Error {}
