import type { ApprovalInbox, WakingAnswer } from '../approval/approval-inbox.ts';
import type { CallOutput } from '../call/output.ts';
import type { CallRequest } from '../call/request.ts';
import type { Registry } from '../definition/registry/registry.ts';
import { ToolkitError } from '../errors.ts';
import type { Logger } from '../log/logger.ts';
import type { StateStore } from '../state/state-store.ts';
import type { Tracer } from '../trace/span.ts';
import {
  type CallAnswer,
  type CallEngine,
  type CallFilter,
  type CallName,
  type CallPage,
  type DurableCall,
  type DurableRequest,
  type EngineApprovals,
  type EngineHost,
  hasEnded,
  type RetryOptions,
} from './call-engine.ts';
import { DurableHandle } from './durable-handle.ts';
import { type DurableOptions, durableRequest } from './durable-request.ts';
import type { FindEffect } from './known-effect.ts';
import { type Woken, wakeCall } from './wake-call.ts';
import type { WorkOptions } from './work-options.ts';

/** The caller of a call. */
export interface CallerOptions {
  /** The caller's name. @default 'default' */
  readonly caller?: string;
}

interface PreparedCall {
  readonly engine: CallEngine;
  readonly request: DurableRequest;
}

/** The kernel's services for durable calls. */
export interface DurableServices {
  readonly call: (request: CallRequest) => Promise<CallOutput>;
  readonly registry: () => Registry;
  readonly mask: <T>(value: T) => T;
  readonly logger: Logger;
  /** Parts that plugins set. */
  readonly extensions: {
    readonly effectOf: FindEffect;
    readonly state: { of(plugin: string): StateStore };
    readonly approvals: ApprovalInbox | undefined;
    readonly tracer: Tracer | undefined;
  };
  readonly closing: AbortSignal;
}

/**
 * The durable calls of a kernel, for its host. It may read, cancel, repeat and approve calls of all callers, so no tool gets it.
 * Every method rejects with PLUGIN_INVALID when no plugin stores calls.
 */
export class DurableCalls {
  readonly #services: DurableServices;
  #engine: CallEngine | undefined;

  constructor(services: DurableServices) {
    this.#services = services;
  }

  /** Sets the engine. */
  open(make: (host: EngineHost) => CallEngine): void {
    const { call, registry, extensions, closing } = this.#services;
    const effectOf: EngineHost['effectOf'] = (name) => extensions.effectOf(name, registry().tools.get(name.tool));
    const stateOf: EngineHost['stateOf'] = (plugin) => extensions.state.of(plugin);
    const toolOf: EngineHost['toolOf'] = (name) => {
      const tool = registry().tools.get(name);
      return tool === undefined ? undefined : { provider: tool.provider?.name };
    };
    this.#engine = make({
      call,
      toolOf,
      toolNames: () => [...registry().tools.keys()],
      effectOf,
      stateOf,
      approvals: this.#recordsForEngine(),
      closing,
    });
  }

  #recordsForEngine(): EngineApprovals {
    return {
      asked: (record) => this.#follow((inbox) => inbox.dispatch?.(record)),
      ended: (record, status) => this.#follow((inbox) => inbox.callEnded?.(record, { isCancelled: status === 'cancelled' })),
    };
  }

  /** Submits a call, like `kernel.execute` with `durable: true`. */
  async submit(tool: string, parameters: Readonly<Record<string, unknown>>, options: DurableOptions): Promise<DurableHandle> {
    const { engine, request } = this.#prepared(tool, parameters, options);
    await engine.submit(request);
    return new DurableHandle(engine, request);
  }

  /** Throws the errors with which `submit` rejects before it stores the call: PLUGIN_INVALID, TOOL_NOT_FOUND or INVALID_PARAMETERS. */
  check(tool: string, parameters: Readonly<Record<string, unknown>>, options: DurableOptions): void {
    this.#prepared(tool, parameters, options);
  }

  /** Returns the handle of a call, also after a restart. Rejects with NOT_FOUND when the caller has no such call. */
  async get(id: string, options?: CallerOptions): Promise<DurableHandle> {
    const name = nameOf(id, options);
    await this.#required.get(name);
    return new DurableHandle(this.#required, name);
  }

  /** Lists calls in pages, newest first. */
  async list(filter: CallFilter = {}): Promise<CallPage> {
    return this.#required.list(filter);
  }

  async cancel(id: string, options?: CallerOptions): Promise<DurableCall> {
    return this.#required.cancel(nameOf(id, options));
  }

  /** Runs a failed, cancelled or unknown call again. A person is asked anew: an approval counts for one run. */
  async retry(id: string, { repeatEffect = false, ...options }: CallerOptions & RetryOptions = {}): Promise<DurableCall> {
    const name = nameOf(id, options);
    const { status, approval } = await this.#required.get(name);
    // First: the new run must not find the approval of the old one.
    if (approval !== undefined && hasEnded(status) && status !== 'completed')
      await this.#services.extensions.approvals?.callEnded?.(approval, { isCancelled: status === 'cancelled', isRetried: true });
    return this.#required.retry(name, { repeatEffect });
  }

  /**
   * Decides the record of an `asked` call, or its question where none is kept. Where several must approve, the call goes on asking after the first.
   * Never let a model or a tool decide.
   */
  async answer(id: string, { caller, ...answer }: CallerOptions & CallAnswer): Promise<DurableCall> {
    const name = nameOf(id, caller === undefined ? {} : { caller });
    const { question } = await this.#required.get(name);
    const inbox = this.#services.extensions.approvals;
    if (inbox === undefined || question?.record === undefined || question.digest !== answer.digest)
      return this.#required.answer(name, answer);
    const { approve, by, way = 'library', reason } = answer;
    try {
      await inbox.decide(question.record, { approve, by: { way, name: by }, ...(reason === undefined ? {} : { reason }) });
    } catch (error) {
      // Its record is gone: a no ends the call, and with a yes it asks anew.
      if (ToolkitError.is(error) && error.code === 'NOT_FOUND') return this.#required.answer(name, answer);
      throw error;
    }
    return this.#required.get(name);
  }

  /** Continues a call whose question was decided: see `ApprovalHost.wakeCall`. A retried call has an effect of another name. */
  async wake(name: CallName, answer: WakingAnswer): Promise<Woken> {
    const engine = this.#engine;
    if (engine === undefined) return 'none';
    const ofEffect = engine.nameOf?.({ caller: name.caller, once: name.id }) ?? name;
    const all = [
      await wakeCall(engine, name, answer),
      ofEffect.id === name.id ? 'none' : await wakeCall(engine, ofEffect, answer),
    ] as const;
    return all.find((one) => one === 'woken') ?? all.find((one) => one === 'running') ?? 'none';
  }

  /** Runs calls in this process, besides those of the engine's own options. Resolves to a function that stops it. */
  async work(options: WorkOptions): Promise<() => Promise<void>> {
    return this.#required.work(options);
  }

  async #follow(change: (inbox: ApprovalInbox) => Promise<void> | undefined): Promise<void> {
    const { extensions, logger } = this.#services;
    try {
      if (extensions.approvals !== undefined) await change(extensions.approvals);
    } catch (error) {
      logger.warn('the approval of a durable call does not follow it yet', { error });
    }
  }

  #prepared(tool: string, parameters: Readonly<Record<string, unknown>>, options: DurableOptions): PreparedCall {
    const { mask, registry } = this.#services;
    const trace = options.trace ?? this.#services.extensions.tracer?.active();
    const traced = trace === undefined ? options : { ...options, trace };
    return { engine: this.#required, request: durableRequest(tool, parameters, traced, { mask, registry: registry() }) };
  }

  get #required(): CallEngine {
    if (this.#engine !== undefined) return this.#engine;
    throw new ToolkitError('PLUGIN_INVALID', 'No engine for durable calls is configured. Add engineLocal().');
  }
}

function nameOf(id: string, { caller = 'default' }: CallerOptions = {}): CallName {
  return { id, caller };
}
