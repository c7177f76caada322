import type { Random } from '../../support/random.ts';
import type { Caller, Outcome, RequestOptions } from './caller.ts';
import { type HttpCaller, textOf } from './http-caller.ts';

/** The actions of one client between two pauses. */
export interface Turn {
  readonly caller: Caller;
  readonly random: Random;
  request(method: string, params: object, expects: readonly string[], options?: RequestOptions): Promise<Outcome>;
  call(tool: string, args: object, expects: readonly string[], options?: RequestOptions): Promise<Outcome>;
  /** For what is no request of the protocol. */
  note(what: string, given: unknown, outcome: Outcome, expects: readonly string[]): void;
}

export interface Scenario {
  readonly name: string;
  /** How often, beside the others. */
  readonly weight: number;
  /** @default every transport */
  readonly on?: Caller['transport'];
  /** A process that the run kills may be the one that this needs. */
  readonly killed?: 'python' | 'command';
  run(turn: Turn): Promise<unknown>;
}

type Arguments = (random: Random) => object;

const none: Arguments = () => ({});
const text: Arguments = (random) => ({ text: `words of client ${random.between(1, 1_000_000)}` });
const cancelled = (least: number, most: number) => (random: Random) => ({ cancelAfterMs: random.between(least, most) });

function calls(
  name: string,
  weight: number,
  tool: string,
  args: Arguments,
  {
    expects = ['ok'],
    options,
    ...rest
  }: { expects?: readonly string[]; options?: (random: Random) => RequestOptions } & Partial<Scenario> = {},
): Scenario {
  return { name, weight, ...rest, run: ({ call, random }) => call(tool, args(random), expects, options?.(random)) };
}

const decided = ['ok', 'APPROVAL_DENIED', 'APPROVAL_REQUIRED'];
const mayBeCancelled = ['cancelled', 'ok'];

/** Each with what is expected of it. Whatever else comes of a call is an error of the run. */
export const scenarios: readonly Scenario[] = [
  calls('http', 60, 'soak_get', (random) => ({ size: random.between(1, 50_000) })),
  calls('http, slow', 15, 'soak_get_slow', (random) => ({ ms: random.between(50, 500) })),
  calls('http, failing', 8, 'soak_get_failing', (random) => ({ way: random.oneOf(['refused', 'cut']) }), {
    expects: ['UPSTREAM_UNAVAILABLE'],
  }),
  // The circuit of that origin opens.
  calls('http, time limit', 5, 'soak_get_hanging', none, { expects: ['TIMEOUT', 'UPSTREAM_UNAVAILABLE'] }),
  calls('http, cached', 30, 'soak_get_cached', (random) => ({ size: random.between(1, 20) })),
  calls('http, cancelled', 8, 'soak_get_slow', () => ({ ms: 1000 }), { expects: mayBeCancelled, options: cancelled(1, 900) }),
  calls('rate limited', 20, 'soak_limited', text),
  calls('command', 12, 'soak_command', text),
  calls('command, slow', 4, 'soak_command_slow', () => ({ seconds: 0.3 }), { killed: 'command' }),
  calls('command, failing', 4, 'soak_command_failing', none, { expects: ['EXECUTION_FAILED'] }),
  calls('command, time limit', 3, 'soak_command_hanging', none, { expects: ['TIMEOUT'] }),
  calls('command, cancelled', 3, 'soak_command_slow', () => ({ seconds: 60 }), {
    expects: mayBeCancelled,
    options: cancelled(1, 400),
    killed: 'command',
  }),
  calls('function', 100, 'soak_function', text),
  calls('function, slow', 15, 'soak_function_slow', (random) => ({ ms: random.between(20, 400) })),
  calls('function, failing', 10, 'soak_function_failing', none, { expects: ['EXECUTION_FAILED'] }),
  calls('function, time limit', 5, 'soak_function_hanging', none, { expects: ['TIMEOUT'] }),
  calls('function, cancelled', 10, 'soak_function_slow', () => ({ ms: 1000 }), { expects: mayBeCancelled, options: cancelled(1, 900) }),
  calls('thread', 20, 'soak_thread', (random) => ({ rounds: random.between(1, 200_000) })),
  calls('thread, failing', 5, 'soak_thread_failing', none, { expects: ['EXECUTION_FAILED'] }),
  calls('thread, time limit', 2, 'soak_thread_hanging', none, { expects: ['TIMEOUT'] }),
  calls('thread, cancelled', 3, 'soak_thread_hanging', none, { expects: ['cancelled', 'TIMEOUT'], options: cancelled(1, 400) }),
  calls('Python', 20, 'soak_python', text, { killed: 'python' }),
  calls('Python, slow', 4, 'soak_python_slow', () => ({ seconds: 0.2 }), { killed: 'python' }),
  calls('Python, failing', 5, 'soak_python_failing', none, { expects: ['EXECUTION_FAILED'], killed: 'python' }),
  calls('Python, time limit', 2, 'soak_python_hanging', none, { expects: ['TIMEOUT'], killed: 'python' }),
  calls('Python, cancelled', 3, 'soak_python_slow', () => ({ seconds: 60 }), {
    expects: mayBeCancelled,
    options: cancelled(1, 600),
    killed: 'python',
  }),
  calls('core, in process', 40, 'crypto_hash', text),
  calls('core, files', 15, 'fs_read_file', () => ({ path: 'notes.txt' })),
  calls('core, mathematics', 8, 'math_evaluate', (random) => ({ expression: `sqrt(${random.between(1, 1000)}) * 2` })),
  calls('core, JSON', 8, 'json_query', () => ({ data: { pets: [{ name: 'Rex' }] }, query: '$.pets[0].name' })),
  calls('core, search', 8, 'toolkit_search_tools', (random) => ({ query: random.oneOf(['read a file', 'hash', 'python words']) })),
  calls('core, call', 8, 'toolkit_call_tool', () => ({ name: 'soak_function', arguments: { text: 'through another' } })),
  calls('collections', 4, 'apiclient_list_collections', () => ({ workspace_path: '.' })),
  calls('a collection', 4, 'apiclient_get_collection_info', () => ({ collection_path: 'collection' })),
  calls('approval', 6, 'soak_gated', text, { expects: decided }),
  calls('approval by rule', 6, 'soak_ruled', text, { expects: decided }),
  calls('denied by rule', 6, 'soak_forbidden', text, { expects: ['POLICY_DENIED'] }),
  calls('elicitation', 6, 'soak_asking', none),
  // A server that starts while the file is broken has never had it, as those over stdio may.
  calls('changing definition', 20, 'soak_changing', text, { on: 'http' }),
  calls('definition that comes and goes', 10, 'soak_coming', text, { expects: ['ok', 'rpc -32602'] }),
  calls('reload by a model', 1, 'toolkit_reload_tools', none, { expects: decided }),
  calls(
    'wrong arguments',
    10,
    'soak_get_slow',
    (random) => random.oneOf([{}, { ms: 'soon' }, { ms: 1.5 }, { ms: 1, other: 2 }, { ms: null }]),
    {
      expects: ['INVALID_PARAMETERS'],
    },
  ),
  calls('many wrong arguments', 1, 'soak_function', () => Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`unknown_${n}`, n])), {
    expects: ['INVALID_PARAMETERS'],
  }),
  calls('unknown tool', 10, 'soak_unknown', none, { expects: ['rpc -32602'] }),
  calls('large text', 2, 'crypto_hash', () => ({ text: 'x'.repeat(1_000_000) })),
  { name: 'unknown method', weight: 3, run: ({ request }) => request('soak/unknown', {}, ['rpc -32601']) },
  { name: 'list', weight: 4, run: ({ request }) => request('tools/list', {}, ['ok']) },
  { name: 'ping', weight: 20, run: ({ request }) => request('ping', {}, ['ok']) },
  {
    name: 'long result, by pages',
    weight: 6,
    async run({ call, request, random }) {
      const { result } = await call('soak_long', { lines: random.between(500, 4000) }, ['ok']);
      const link = (result?.['content'] as { type: string; uri?: string }[] | undefined)?.find(({ type }) => type === 'resource_link');
      // Others may have pushed it out.
      await request('resources/read', { uri: link?.uri ?? 'a long result without a link' }, ['ok', 'rpc -32002']);
    },
  },
  calls('broken connection, and back', 8, 'soak_function_slow', () => ({ ms: 400 }), {
    on: 'http',
    options: (random) => ({ dropAfterMs: random.between(0, 500) }),
  }),
  {
    name: 'abandoned session',
    weight: 3,
    on: 'http',
    async run({ caller, call, random }) {
      const tool = random.oneOf(['soak_function_slow', 'soak_get_slow']);
      const left = call(tool, { ms: 1500 }, ['broken', 'ok']);
      await caller.vanish();
      await left;
    },
  },
  { name: 'ended session', weight: 3, on: 'http', run: ({ caller }) => caller.renew() },
  { name: 'ended server over stdio', weight: 4, on: 'stdio', run: ({ caller }) => caller.renew() },
  {
    name: 'abandoned server over stdio',
    weight: 4,
    on: 'stdio',
    killed: 'command',
    async run({ caller, call }) {
      const left = call('soak_command_slow', { seconds: 60 }, ['broken', 'ABORTED']);
      await caller.vanish();
      await left;
    },
  },
  {
    name: 'odd requests',
    weight: 6,
    on: 'http',
    async run({ caller, note, random }) {
      const [status, sent] = random.oneOf(oddRequests);
      const response = await (caller as HttpCaller).send(sent);
      note('HTTP', sent.headers ?? sent.body.slice(0, 50), { kind: `http ${response.statusCode}`, text: await textOf(response) }, [
        `http ${status}`,
      ]);
    },
  },
];

const ping = '{"jsonrpc":"2.0","id":"odd","method":"ping"}';

const oddRequests: readonly (readonly [number, { readonly headers?: Record<string, string | undefined>; readonly body: string }])[] = [
  [400, { body: '{"jsonrpc": ' }],
  [400, { body: '[]' }],
  [401, { body: ping, headers: { authorization: 'Bearer nobody' } }],
  [404, { body: ping, headers: { 'mcp-session-id': '00000000-0000-4000-8000-000000000000' } }],
  [400, { body: ping, headers: { 'mcp-session-id': undefined } }],
  [406, { body: ping, headers: { accept: 'text/html' } }],
  [415, { body: ping, headers: { 'content-type': 'text/plain' } }],
  [413, { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { text: 'x'.repeat(5_000_000) } }) }],
];
