import Type, { type Static } from 'typebox';
import type {
  CallClient,
  CallContext,
  CallIdentity,
  ContentPart,
  ControlFiles,
  CutOutput,
  ErrorCode,
  ErrorDetails,
  Issue,
  Logger,
  Origin,
  OutboundAddresses,
  OutboundFetch,
  Progress,
  ToolView,
} from '../../kernel/index.ts';
import { codeIssue } from '../shared/code/code-module.ts';
import type { RunExchange } from '../shared/code/exchange.ts';
import type { LaunchProgram } from '../shared/process/program.ts';

/** The `execution` of a function tool, beside `type` and `timeout_ms`. Exactly one of `code` and `handler` is required. */
export const FunctionExecutionSchema = Type.Object(
  {
    /** The function, as `./file.ts#export` relative to the definition. Without `#export`: `default` or `run`; in Python always `run`. */
    code: Type.Optional(Type.String({ pattern: '\\.(js|mjs|cjs|ts|py)(#\\w+)?$' })),
    /** The function itself, for tools that a plugin adds. */
    handler: Type.Optional(Type.Unsafe<ToolFunction>({})),
    /**
     * A function (`./file.ts#export`) that finds out what a call will reach, before a person is asked. The person sees its result,
     * and the approval holds for that result only. It gets the same arguments as the function. It returns the destination as text,
     * or `{ destination?, content?, program?, folder? }`, each a text or `{ shown, state }`, and `files`: such parts by path. It
     * runs in this process before every approval and again before the call runs, so it must change nothing.
     */
    identify: Type.Optional(Type.String({ pattern: '\\.(js|mjs|cjs|ts)(#\\w+)?$' })),
    /**
     * The place where the function runs. `true`: a worker thread, which can be stopped in the middle of a computation; for long
     * computations. `process`: a child process, whose crash does not end the server; for code that parses, decodes, matches or
     * compares texts of callers, files and answers. A child process gets no secrets, writes nothing, starts nothing, and reads
     * files only where the tool has a parameter with `path`. @default false
     */
    worker: Type.Optional(Type.Unsafe<boolean | 'process'>({ enum: [true, false, 'process'] })),
    /**
     * Lets child processes of the tool (`worker: process`, `context.inChild`) load native libraries of packages. Node's permission
     * model does not restrict native code, so limits of the operating system do: 1.5 GB of memory beside the JavaScript heap, and
     * no writing to files unless the tool has a parameter with `path: write`. Where no child process can be started, the call
     * fails and does not run in a thread. @default false
     */
    native: Type.Optional(Type.Boolean()),
    /**
     * Gives network access to Python, and to programs that the function starts with `context.launch`, where a sandbox
     * (sandbox-bwrap) runs them. Without a sandbox it is information only. @default false
     */
    network: Type.Optional(Type.Boolean()),
    /**
     * Makes `.git` (`git`) or folders of packages (`packages`) writable for Python and these programs in the sandbox. Without a
     * sandbox it is information only. @default []
     */
    writes: Type.Optional(Type.Array(Type.Enum(['git', 'packages']))),
  },
  { additionalProperties: false },
);

export type FunctionExecution = Static<typeof FunctionExecutionSchema>;

/**
 * The second argument of a handler. A worker thread lacks `fetch`, `addressesOf`, `tools`, `client`, `inThread`, `inChild` and
 * `onClose`. A child process lacks these and `secrets` and `exchange`.
 */
export interface FunctionContext {
  readonly callId: string;
  readonly caller: string;
  /** Place of the call in its trace (W3C Trace Context), for code that is instrumented. Absent where no plugin traces, or the operator does not pass it on. */
  readonly traceparent?: string | undefined;
  /** Aborts on timeout and cancellation. */
  readonly signal: AbortSignal;
  /**
   * The space for the output. `budget`: the characters that its compact JSON may take (texts escaped) in a call by a model;
   * undefined in a call by host code. A longer output is cut. A function that can continue elsewhere stops by itself and says
   * where (`continues:`).
   */
  readonly output: CallContext['output'];
  /** The logger. Its lines go to the log of the server, and over MCP to the client. */
  readonly logger: Logger;
  /** The values of the secrets that the definition names, and of no others. */
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * Masks a secret that the function obtained itself, such as a session token from a login. From then on it reads
   * `[secret <name>]` in logs, errors, output and trail of this call. A text of fewer than four characters is not masked.
   * @example context.maskAlso('SESSION', session.token);
   */
  maskAlso(name: string, value: string): void;
  progress(progress: Progress | string): void;
  /** `fetch` behind the outbound guard. */
  readonly fetch: OutboundFetch;
  /**
   * Resolves a host to addresses that the outbound guard allows, for a connection that `fetch` cannot make. Connect to one of
   * these, not to the name.
   */
  readonly addressesOf: OutboundAddresses;
  /**
   * The files that tools must leave alone, such as definitions, configuration and secrets. Check each path that is not a
   * parameter (`path: read` or `path: write`), such as the path of an archive member.
   */
  readonly controlFiles: ControlFiles;
  /**
   * The identity that a person approved, if one was asked. A function that can bind its effect to it should do so. Absent in a
   * worker thread.
   */
  readonly identity?: CallIdentity | undefined;
  /**
   * Makes an exchange with the outside world that is not a `fetch`, such as a database query: runs `live`, returns its result
   * and throws its error. `toolkit test` answers from the cassette instead and compares `request`: JSON that holds everything
   * the answer depends on, without credentials. `kind` names the other side, such as `sql`. Open what `live` needs, such as a
   * pool, inside `live`, because it does not run in a test.
   * A recorded answer must be JSON or undefined. A recorded error is restored with `name`, `message` and members that are JSON
   * (`code`), and with its class only where `error` made it.
   */
  readonly exchange: RunExchange;
  /**
   * Returns the program to spawn in place of another, where a sandbox is configured: for `runProgram` or other code that starts
   * programs. Undefined without a sandbox. Absent in a worker thread.
   */
  readonly launch?: LaunchProgram | undefined;
  /** The tools that the caller may see. */
  readonly tools: ToolView;
  /** Asks the person or the model on the client's side, where the client supports it. The time counts against `timeout_ms`. */
  readonly client: Omit<CallClient, 'approve'>;
  /**
   * Runs a function of another module (`./page.ts#links`, relative to the definition) in a worker thread: for long work on data.
   * It gets the data, which must be JSON, as its parameters, and no secrets. It ends with the call.
   */
  inThread(code: string, data: Readonly<Record<string, unknown>>): Promise<unknown>;
  /**
   * Runs a function of another module in a child process, as `worker: process` does: for texts of callers, files and answers
   * that it parses, decodes, matches or compares. It gets the data, which must be JSON, as its parameters, and no secrets. It
   * ends with the call, or earlier by `signal`.
   */
  inChild(code: string, data: Readonly<Record<string, unknown>>, options?: { readonly signal?: AbortSignal }): Promise<unknown>;
  /** Makes an error to throw, with a code of the table in `kernel/errors.ts`, so that packages need not import the kernel for it. */
  error(code: ErrorCode, message: string, details?: ErrorDetails): Error;
  /**
   * Registers a function that runs when the kernel closes, to release what the module keeps between calls. It runs once, however
   * often it is registered.
   */
  onClose(close: () => unknown): void;
  /**
   * Wraps an output together with parts to show, such as an image. `structured`: the cut output that a model gets in place of
   * one that is too long, for a tool that passes on another tool's output. Ignored in a worker thread and in a child process.
   */
  withContent(output: unknown, content: readonly ContentPart[], structured?: CutOutput): unknown;
}

/** A handler. Returns a JSON value, or `null` when there is nothing to return. */
export type ToolFunction = (parameters: never, context: FunctionContext) => unknown;

export function checkExecution({ code, handler, worker, native }: FunctionExecution): readonly Issue[] {
  if ((code === undefined) === (handler === undefined))
    return [{ path: 'code', pointer: '/code', message: 'is required: the module of the function, such as "./tool.ts#run"' }];
  if (native === true && worker === true)
    return [
      {
        path: 'native',
        pointer: '/native',
        message: 'needs "worker: process" in place of true: in a thread a native library could end the server',
      },
    ];
  if (handler === undefined) return [];
  if (typeof handler !== 'function') return [{ path: 'handler', pointer: '/handler', message: 'expected a function' }];
  if (worker === undefined || worker === false) return [];
  const runsIn = worker === 'process' ? 'child process' : 'worker thread';
  return [{ path: 'worker', pointer: '/worker', message: `needs "code": a function of this process cannot move into a ${runsIn}` }];
}

/** Returns an issue for the first module that does not exist. */
export function checkFiles({ code, handler, identify }: FunctionExecution, origin: Origin): readonly Issue[] {
  if ((code === undefined) === (handler === undefined)) return [];
  for (const [key, module] of Object.entries({ identify, code })) {
    const issue = module === undefined ? undefined : codeIssue(key, module, origin);
    if (issue !== undefined) return [issue];
  }
  return [];
}
