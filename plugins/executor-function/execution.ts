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

/** The `execution` of a function tool, beside `type` and `timeout_ms`. Exactly one of `code` and `handler`. */
export const FunctionExecutionSchema = Type.Object(
  {
    /** `./file.ts#export`, relative to the definition. Without `#export`: `default` or `run`; in Python always `run` unless named. */
    code: Type.Optional(Type.String({ pattern: '\\.(js|mjs|cjs|ts|py)(#\\w+)?$' })),
    /** The function itself, for tools that a plugin adds. */
    handler: Type.Optional(Type.Unsafe<ToolFunction>({})),
    /**
     * `./file.ts#export`: says what a call will reach before anybody is asked about it, so that the person sees it and the approval holds for
     * it. Gets what the function gets, returns the destination as text, or `{ destination?, content?, program?, folder? }` of texts or
     * `{ shown, state }`, and `files` of these by path. Runs in this process before every approval, and again before the call runs: it must change nothing.
     */
    identify: Type.Optional(Type.String({ pattern: '\\.(js|mjs|cjs|ts)(#\\w+)?$' })),
    /**
     * `true`: runs the module in a worker thread, which can be stopped in the middle of a computation: for long work of its own. `process`: in a child
     * process, which can also die without this one: for what parses, decodes, matches or compares texts of callers, files and answers. A child gets
     * no secrets, writes nothing, starts nothing, and reads files only where the tool has a `path`. @default false
     */
    worker: Type.Optional(Type.Unsafe<boolean | 'process'>({ enum: [true, false, 'process'] })),
    /**
     * Lets the child processes of the tool (`worker: process`, `context.inChild`) load native libraries of packages. Node's permission model does not
     * hold such code, limits of the system do: it may use 1.5 GB beside the values of JavaScript, and can write to no file, unless the tool has a
     * `path: write`. Where no child process can be started, no thread does its work. @default false
     */
    native: Type.Optional(Type.Boolean()),
    /**
     * Opens the network to Python, and to programs that the function starts by `context.launch`, where a sandbox (sandbox-bwrap) runs them; without
     * one it only informs. @default false
     */
    network: Type.Optional(Type.Boolean()),
    /** Opens `.git`, or folders of packages, to them for writing; the same. @default [] */
    writes: Type.Optional(Type.Array(Type.Enum(['git', 'packages']))),
  },
  { additionalProperties: false },
);

export type FunctionExecution = Static<typeof FunctionExecutionSchema>;

/**
 * What a handler gets beside its parameters. In a worker thread and in a child process `fetch`, `addressesOf`, `tools`, `client`, `inThread`, `inChild`
 * and `onClose` are not there, in a child process `secrets` and `exchange` neither.
 */
export interface FunctionContext {
  readonly callId: string;
  readonly caller: string;
  /** Aborts on timeout and cancellation. */
  readonly signal: AbortSignal;
  /**
   * The room for what the function returns. `budget`: characters that its compact JSON may take, texts escaped, in a call of a model; undefined in
   * one of host code. A function that returns more is cut: one that can go on elsewhere stops by itself and says where (`continues:`).
   */
  readonly output: CallContext['output'];
  /** Goes to the log of the server, and over MCP to the client. */
  readonly logger: Logger;
  /** The values of the secrets that the definition names, and of no others. */
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * Masks a secret that the function obtains itself, such as the session token that a login answers with: from then on in the logs, errors, output and
   * trail of this call. `name` is what stands in its place, `[secret <name>]`. A text of under four characters is not masked.
   * @example context.maskAlso('SESSION', session.token);
   */
  maskAlso(name: string, value: string): void;
  progress(progress: Progress | string): void;
  /** `fetch` behind the outbound guard. */
  readonly fetch: OutboundFetch;
  /** The addresses of a host, checked by the outbound guard, for a connection that `fetch` cannot make. Connect to one of these, not to the name. */
  readonly addressesOf: OutboundAddresses;
  /**
   * The files that tools must leave alone, such as definitions, configuration and secrets: ask it for each path that is not a parameter
   * (`path: read` or `path: write`), such as that of a member of an archive.
   */
  readonly controlFiles: ControlFiles;
  /** What was approved, where somebody was asked: a function whose effect can be bound to it does so. Not of a worker thread. */
  readonly identity?: CallIdentity | undefined;
  /**
   * Asks the world outside in a way that `fetch` is not, such as a database or a socket: runs `live`, gives what it gives and throws what it
   * throws. `toolkit test` answers from the cassette in its place, and compares `request`, which says as JSON what the answer depends on,
   * without credentials. `kind` is a word for the other side, such as `sql`. What `live` needs to reach it, such as a pool or a password, is
   * taken up inside of it: in a test there is none. To be recorded, an answer is JSON or undefined; of an error `name`, `message` and members
   * that are JSON (`code`) are known again, its class only of those that `error` makes.
   */
  readonly exchange: RunExchange;
  /**
   * Gives what is to be spawned in place of a program, where a sandbox is configured: for `runProgram`, or anything else that starts programs. Undefined
   * without one. Not of a worker thread.
   */
  readonly launch?: LaunchProgram | undefined;
  /** The tools that the caller may see. */
  readonly tools: ToolView;
  /** Asks the person or the model on the caller's side, where the caller offers it; the time counts against `timeout_ms`. */
  readonly client: Omit<CallClient, 'approve'>;
  /**
   * Runs a function of another module (`./page.ts#links`, relative to the definition) in a worker thread that ends with the call: for work
   * on data that can take long. It gets the data, which must be JSON, as its parameters, and no secrets.
   */
  inThread(code: string, data: Readonly<Record<string, unknown>>): Promise<unknown>;
  /**
   * Runs a function of another module in a child process, as `worker: process` does: for texts of callers, files and answers that it parses, decodes,
   * matches or compares. It gets the data, which must be JSON, as its parameters, and no secrets; it ends with the call, or earlier by `signal`.
   */
  inChild(code: string, data: Readonly<Record<string, unknown>>, options?: { readonly signal?: AbortSignal }): Promise<unknown>;
  /** An error to throw, with a code of the table (`kernel/errors.ts`); for packages, which need not import the kernel for it. */
  error(code: ErrorCode, message: string, details?: ErrorDetails): Error;
  /** Runs when the kernel closes, to end what the module keeps from call to call. Once for each function, however often it is given. */
  onClose(close: () => unknown): void;
  /**
   * Wraps an output that also has parts to show, such as an image. `structured` is for a tool that passes on what another one gave: what a
   * model gets in place of an output that is too long. Not of a worker thread.
   */
  withContent(output: unknown, content: readonly ContentPart[], structured?: CutOutput): unknown;
}

/** A handler: returns a JSON value, `null` when there is nothing to say. */
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
  const place = worker === 'process' ? 'child process' : 'worker thread';
  return [{ path: 'worker', pointer: '/worker', message: `needs "code": a function of this process cannot move into a ${place}` }];
}

/** The first of its modules that is not there. */
export function checkFiles({ code, handler, identify }: FunctionExecution, origin: Origin): readonly Issue[] {
  if ((code === undefined) === (handler === undefined)) return [];
  for (const [key, module] of Object.entries({ identify, code })) {
    const issue = module === undefined ? undefined : codeIssue(key, module, origin);
    if (issue !== undefined) return [issue];
  }
  return [];
}
