import type { CallClient } from '../client/client.ts';
import type { MaybeTool, Tool } from '../definition/schema/tool.ts';
import type { TapEffect } from '../taps/tap-effect.ts';
import type { CallTrace } from '../trace/span.ts';
import type { CallOrigin } from './draft.ts';
import type { Progress } from './progress.ts';

export interface CallRequest {
  readonly tool: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Credential values by name, for this one call, or a function that returns them for each tool, also for nested calls. Only a host may give them. */
  readonly credentials?: Readonly<Record<string, string>> | ((tool: Tool) => Readonly<Record<string, string>>);
  /** The caller's name, for policy and trail. @default 'default' */
  readonly caller?: string;
  /** The tenant whose share of threads, processes and queue slots the call uses. No tenant gets all of them. @default the caller */
  readonly tenant?: string;
  /**
   * The tenant whose accounts and other stored credentials the call uses, where `tenant` names a share that does not last, such as a session's.
   * @default `tenant`
   */
  readonly accountTenant?: string;
  /** @default 'host' */
  readonly origin?: CallOrigin;
  /** True when the caller claims that a person approved. @default false */
  readonly approved?: boolean;
  /** The approval token that the caller received. */
  readonly approval?: string;
  /**
   * A name for the effect of the call. Of all calls of this caller with the same name, one has its effect, in any process, also after a restart.
   * The others get its result. Refused (PLUGIN_INVALID) without a plugin such as `calls-once`. @default each call has its effect
   */
  readonly once?: string;
  /** True when the call must end with ABORTED before it runs; `settled` does not run. For a host that checks whether a person must approve. */
  readonly isTrial?: boolean;
  /** True when the host holds the answer back until `kernel.beforeAnswers()` is done, for all calls of one event-loop turn. @default false */
  readonly isHeld?: boolean;
  /**
   * The trace of the call, where a plugin traces: a span of the host (`kernel.tracer`), which the call takes as its own and does not end;
   * `{ within: span }` for a span `execute_tool …` within it; or `{ traceparent, tracestate }` as a client sent them, for such a span in their trace. A
   * malformed `traceparent` begins a new trace. @default a span within the active one
   */
  readonly trace?: CallTrace | undefined;
  /** Cancels the call. A function is called when the call first waits: most calls never wait, and a signal costs more than such a call. */
  readonly signal?: AbortSignal | (() => AbortSignal);
  readonly onProgress?: (progress: Progress) => void;
  /** Receives the returned value of each tap of this call, in order, except taps on `settled`. The error names a tap that throws. */
  readonly onTap?: (effect: TapEffect) => void;
  /** The client's abilities while the call runs, such as asking its person. @default none */
  readonly client?: CallClient;
  /** Returns true for a tool that this caller may see and call. @default every tool */
  readonly isVisible?: (tool: MaybeTool) => boolean;
  /** Returns true for a visible tool that may be listed or found in a search. @default every visible tool */
  readonly isListed?: (tool: Tool) => boolean;
}

/** The options of `execute`, besides the tool and its parameters. */
export type ExecuteOptions = Omit<CallRequest, 'tool' | 'parameters'>;
