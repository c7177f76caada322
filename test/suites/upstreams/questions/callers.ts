import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Kernel } from '../../../../kernel/index.ts';
import { connect } from '../../../plugins/mcp/support/client.ts';
import { ModernClient } from '../../../plugins/mcp/support/modern-client.ts';

/** The outcome of one question, as its server got it. */
export interface Outcome {
  readonly action: 'accept' | 'decline' | 'cancel' | 'error';
  readonly answer: string | null;
  readonly message?: string;
}

type Json = Readonly<Record<string, unknown>>;

/** One caller over our server side. Answers each question with its own name. */
export interface Caller {
  /** All questions that reached it. */
  readonly asked: readonly string[];
  /** Calls a tool of the asking server, and returns the outcomes that it got. Throws the error of a failed call. */
  call(tool: string, parameters: Json, signal?: AbortSignal): Promise<readonly Outcome[]>;
}

/** Runs before each answer. */
export type BeforeAnswer = (question: string) => unknown;

export type OpenCaller = (kernel: Kernel, caller: string, beforeAnswer?: BeforeAnswer) => Promise<Caller>;

const capabilities = { elicitation: { form: {} }, sampling: {} };

export const callers: Readonly<Record<'2025' | '2026', OpenCaller>> = { '2025': callerOf2025, '2026': callerOf2026 };

/** The official client of 2025, which answers while its call runs. */
async function callerOf2025(kernel: Kernel, caller: string, beforeAnswer: BeforeAnswer = () => {}): Promise<Caller> {
  const { client, call } = await connect(kernel, { caller, capabilities });
  const asked: string[] = [];
  const answer = async (method: string, params: Json): Promise<never> => {
    asked.push(questionOf(method, params));
    await beforeAnswer(questionOf(method, params));
    return answerOf(method, caller) as never;
  };
  client.setRequestHandler(ElicitRequestSchema, ({ method, params }) => answer(method, params));
  client.setRequestHandler(CreateMessageRequestSchema, ({ method, params }) => answer(method, params));
  return {
    asked,
    call: async (tool, parameters, signal) => outcomesOf(await call(tool, parameters, signal === undefined ? {} : { signal })),
  };
}

/** A client of 2026-07-28, which answers by sending the request again. */
async function callerOf2026(kernel: Kernel, caller: string, beforeAnswer: BeforeAnswer = () => {}): Promise<Caller> {
  const client = await ModernClient.connect(kernel, { caller, capabilities });
  const asked: string[] = [];
  const call = async (tool: string, parameters: Json): Promise<readonly Outcome[]> => {
    let more: Json = {};
    for (;;) {
      const result = await client.call(tool, parameters, more);
      if (result['resultType'] !== 'input_required') return outcomesOf(result);
      const { inputRequests, requestState } = result as {
        inputRequests: Readonly<Record<string, { method: string; params: Json }>>;
        requestState: string;
      };
      const inputResponses: Record<string, unknown> = {};
      for (const [key, { method, params }] of Object.entries(inputRequests)) {
        asked.push(questionOf(method, params));
        await beforeAnswer(questionOf(method, params));
        inputResponses[key] = answerOf(method, caller);
      }
      more = { inputResponses, requestState };
    }
  };
  return { asked, call };
}

function questionOf(method: string, { message, messages }: Json): string {
  if (method === 'elicitation/create') return String(message).replace(/^The MCP server "shop" asks: /, '');
  const [first] = messages as readonly { readonly content: { readonly text?: string } }[];
  return String(first?.content.text);
}

function answerOf(method: string, caller: string): Json {
  if (method === 'elicitation/create') return { action: 'accept', content: { answer: caller } };
  return { role: 'assistant', model: 'suite', content: { type: 'text', text: caller } };
}

function outcomesOf(result: Json): readonly Outcome[] {
  const { content, isError } = result as { content: readonly { text: string }[]; isError?: boolean };
  const text = content.map((part) => part.text).join('');
  if (isError === true) throw new Error(text);
  // Own text: the fixture's outcomes.
  return JSON.parse(text) as readonly Outcome[];
}
