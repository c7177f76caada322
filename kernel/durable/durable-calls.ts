import type { ApprovalInbox } from '../approval/approval-inbox.ts';
import type { CallOutput } from '../call/output.ts';
import type { CallRequest } from '../call/request.ts';
import type { Registry } from '../definition/registry/registry.ts';
import { ToolkitError } from '../errors.ts';
import type { StateStore } from '../state/state-store.ts';
import type {
  CallAnswer,
  CallEngine,
  CallFilter,
  CallName,
  CallPage,
  DurableCall,
  DurableRequest,
  EngineHost,
  RetryOptions,
} from './call-engine.ts';
import { DurableHandle } from './durable-handle.ts';
import { type DurableOptions, durableRequest } from './durable-request.ts';
import type { FindEffect } from './known-effect.ts';
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
  /** Parts that plugins set. */
  readonly extensions: {
    readonly effectOf: FindEffect;
    readonly state: { of(plugin: string): StateStore };
    readonly approvals: ApprovalInbox | undefined;
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
    this.#engine = make({ call, toolOf, toolNames: () => [...registry().tools.keys()], effectOf, stateOf, closing });
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

  /** Runs a failed, cancelled or unknown call again. */
  async retry(id: string, { repeatEffect = false, ...options }: CallerOptions & RetryOptions = {}): Promise<DurableCall> {
    return this.#required.retry(nameOf(id, options), { repeatEffect });
  }

  /** Records a person's decision about an `asked` call. Never let a model or a tool decide. */
  async answer(id: string, { caller, ...answer }: CallerOptions & CallAnswer): Promise<DurableCall> {
    const name = nameOf(id, caller === undefined ? {} : { caller });
    const { question } = await this.#required.get(name);
    const inbox = this.#services.extensions.approvals;
    if (inbox === undefined || question?.record === undefined || question.digest !== answer.digest)
      return this.#required.answer(name, answer);
    const { approve, by, way = 'library' } = answer;
    await inbox.decide(question.record, { approve, by: { way, name: by } });
    return this.#required.get(name);
  }

  /** Continues a call whose question was decided. Undefined when the caller has no such call, or it asks nothing. */
  async wake(name: CallName, answer: Omit<CallAnswer, 'digest'>): Promise<DurableCall | undefined> {
    try {
      const { question } = (await this.#engine?.get(name)) ?? {};
      return question === undefined ? undefined : await this.#engine?.answer(name, { ...answer, digest: question.digest });
    } catch (error) {
      // Unknown, or decided meanwhile.
      if (ToolkitError.is(error) && (error.code === 'NOT_FOUND' || error.code === 'INVALID_PARAMETERS')) return undefined;
      throw error;
    }
  }

  /** Runs calls in this process, besides those of the engine's own options. Resolves to a function that stops it. */
  async work(options: WorkOptions): Promise<() => Promise<void>> {
    return this.#required.work(options);
  }

  #prepared(tool: string, parameters: Readonly<Record<string, unknown>>, options: DurableOptions): PreparedCall {
    const { mask, registry } = this.#services;
    return { engine: this.#required, request: durableRequest(tool, parameters, options, { mask, registry: registry() }) };
  }

  get #required(): CallEngine {
    if (this.#engine !== undefined) return this.#engine;
    throw new ToolkitError('PLUGIN_INVALID', 'No engine for durable calls is configured. Add engineLocal().');
  }
}

function nameOf(id: string, { caller = 'default' }: CallerOptions = {}): CallName {
  return { id, caller };
}
