/** The result of one request. */
export interface Outcome {
  /** `ok`, the code of a tool's error, `rpc <code>`, `http <status>`, `cancelled`, or `broken`. */
  readonly kind: string;
  /** The answer, or the reason why there is none. */
  readonly text: string;
  readonly result?: Readonly<Record<string, unknown>>;
}

export interface RequestOptions {
  /** Takes the request back after so long. */
  readonly cancelAfterMs?: number | undefined;
  /** Breaks the connection so long after the first event, and comes back for the answer. */
  readonly dropAfterMs?: number | undefined;
}

/** One client of the server. */
export interface Caller {
  readonly transport: 'http' | 'stdio';
  request(method: string, params: object, options?: RequestOptions): Promise<Outcome>;
  /** Ends its session as it should, and opens another. */
  renew(): Promise<void>;
  /** Goes without a word, also in the middle of calls, and comes back as another client. */
  vanish(): Promise<void>;
  /** Listens no more to what the server says of itself, before that ends. */
  mute(): void;
  /** Closes connections that are not in use. */
  rest(): void;
  close(): Promise<void>;
}

export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export const opening = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'soak', version: '1.0.0' },
  },
};

/** Classifies an answer. */
export function outcomeOf({ result, error }: Message): Outcome {
  if (error !== undefined) return { kind: `rpc ${error.code}`, text: error.message };
  const { isError, content, _meta } = (result ?? {}) as {
    isError?: boolean;
    content?: readonly { text?: string }[];
    _meta?: { 'toolkit/error'?: { code: string } };
  };
  const text = (content ?? []).map((part) => part.text ?? '').join('');
  const kind = isError === true ? (_meta?.['toolkit/error']?.code ?? 'an error without a code') : 'ok';
  return { kind, text, ...(result === undefined ? {} : { result }) };
}

export const brokenBy = (error: unknown): Outcome => ({ kind: 'broken', text: error instanceof Error ? error.message : String(error) });

/** Fills in an elicitation form as a person would: `decide` gives the action. */
export function answerTo({ method, params }: Message, decide: () => 'accept' | 'decline' | 'cancel'): object {
  if (method !== 'elicitation/create') return method === 'ping' ? { result: {} } : { error: { code: -32601, message: 'Not known here.' } };
  const action = decide();
  if (action !== 'accept') return { result: { action } };
  const { properties = {} } = (params?.['requestedSchema'] ?? {}) as { properties?: Record<string, { type: string }> };
  const content = Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, type === 'boolean' ? true : 'an answer']));
  return { result: { action, content } };
}
