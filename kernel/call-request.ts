import type { CallClient } from './client/client.ts';
import type { MaybeTool, Tool } from './definition/tool.ts';
import type { CallOrigin, Progress, TapEffect } from './hooks.ts';

export interface CallRequest {
  readonly tool: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Credential values by name: for this one call, or a function that says them for each tool, also of calls inside this one. Only a host may give them. */
  readonly credentials?: Readonly<Record<string, string>> | ((tool: Tool) => Readonly<Record<string, string>>);
  /** Who calls, for policy and trail. @default 'default' */
  readonly caller?: string;
  /** Whose share of threads, processes and waiting places the call uses: nobody gets all of them. @default the caller */
  readonly tenant?: string;
  /** @default 'host' */
  readonly origin?: CallOrigin;
  /** The caller says that a person approved. @default false */
  readonly approved?: boolean;
  /** An approval token that the caller was handed. */
  readonly approval?: string;
  /**
   * A name for what the call does: of all calls of this caller with it, one has its effect, by whichever process, also after a restart; the others get
   * the same result. Refused (PLUGIN_INVALID) where no plugin sees to it, such as `calls-once`. @default each call has its effect
   */
  readonly once?: string;
  /** Ends the call where it would run, with ABORTED; `settled` is not told of that. For a host that must know beforehand whether a person is asked. */
  readonly isTrial?: boolean;
  /** The host holds the answer back, with those of calls that end in the same turn of the loop, until `kernel.beforeAnswers()` is through. @default false */
  readonly isHeld?: boolean;
  /** Cancels the call. A function that gives it is called when the call first waits: most end without, and a signal costs more than they do. */
  readonly signal?: AbortSignal | (() => AbortSignal);
  readonly onProgress?: (progress: Progress) => void;
  /** Told what each tap of this call has returned, in order, but those of `settled`. A tap that throws is named by the error. */
  readonly onTap?: (effect: TapEffect) => void;
  /** What the caller's side can do while the call runs. @default nothing */
  readonly client?: CallClient;
  /** Which tools this caller may see and call. @default all */
  readonly isVisible?: (tool: MaybeTool) => boolean;
  /** Which of those a tool that lists or searches tools may show this caller. @default all */
  readonly isListed?: (tool: Tool) => boolean;
}

/** What `execute` takes beside the tool and its parameters. */
export type ExecuteOptions = Omit<CallRequest, 'tool' | 'parameters'>;
