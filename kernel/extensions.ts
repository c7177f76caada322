import type { Static, TSchema } from 'typebox';
import type { ApprovalHost, ApprovalInbox } from './approval/approval-inbox.ts';
import type { ApprovalEvent } from './approval/approval-record.ts';
import type { Encoding, Identify, ReadReference } from './call/context/plugin-functions.ts';
import { ProgramLauncher } from './call/program-launcher.ts';
import type { Refusal } from './call/refusals.ts';
import { type DefinitionKey, DefinitionKeys, type KeyOptions } from './definition/check/keys.ts';
import { holdsKey } from './definition/check/reports.ts';
import type { FindWithheld } from './definition/registry/withhold.ts';
import { type ExecutionReader, type ExecutionType, executionReader } from './definition/schema/execution-type.ts';
import type { Tool } from './definition/schema/tool.ts';
import type { CallEngine, EngineHost } from './durable/call-engine.ts';
import type { DurableCalls } from './durable/durable-calls.ts';
import type { FindEffect } from './durable/known-effect.ts';
import { messageOf, ToolkitError } from './errors.ts';
import type { ApprovalProof, Extend } from './extend.ts';
import { NamedControlFiles } from './files/named-control-files.ts';
import { describeValue, type JsonObject } from './json/json.ts';
import type { Logger } from './log/logger.ts';
import { hostAddresses, type OutboundAddresses, type OutboundFetch, plainRequest } from './outbound.ts';
import { refuseLongHost } from './schema/parse-url.ts';
import type { PluginSource } from './secrets/ask-source.ts';
import type { CredentialsSource } from './secrets/call-secrets.ts';
import { checkRoute, RouteTable } from './serve/route-table.ts';
import { DeclaredSources } from './source/declared-sources.ts';
import { KernelState } from './state/kernel-state.ts';
import { Facts } from './taps/facts.ts';
import type { Gauge } from './taps/gauges.ts';
import { kernelGauges, type MeasuredKernel } from './taps/kernel-gauges.ts';
import { Listeners } from './taps/listeners.ts';
import { PluginWorks } from './taps/plugin-work.ts';
import { GuardedTracer } from './trace/guarded-tracer.ts';

/** Sends a request by the global fetch. Throws for TLS options: only a plugin that opens the connections itself can apply them. */
const plainFetch: OutboundFetch = async (input, init, options) => {
  if (options?.clientCertificate === undefined && options?.verifyCertificate !== false)
    return plainRequest(input, init, options?.onNotConnected);
  const what = options.clientCertificate === undefined ? 'leaves the certificates of servers unchecked' : 'sends client certificates';
  throw new ToolkitError('EXECUTION_FAILED', `No plugin of this configuration ${what}. Add guardOutbound().`);
};

/** Owner of the kernel's own additions. */
const kernelOwner = 'the kernel';

const onceCalls = 'the effect of calls with "once"';

/** The additions of plugins to one kernel: execution types, definition keys, encodings, wrappers of fetch. */
export class Extensions {
  readonly executionTypes = new Map<string, ExecutionType>();
  /** Identifiers by execution type. */
  readonly identifiers = new Map<string, Identify>();
  readonly parameterIdentifiers: Identify[] = [];
  readReference: ReadReference | undefined;
  readonly statuses = new Map<string, () => JsonObject>();
  readonly encodings = new Map<string, Encoding>();
  readonly keys = new DefinitionKeys();
  readonly controlFiles = new NamedControlFiles();
  readonly sources = new DeclaredSources();
  readonly withholders: { readonly plugin: string; readonly find: FindWithheld }[] = [];
  readonly state = new KernelState(Date.now);
  readonly refusals = new Listeners<Refusal>('a refusal');
  readonly approvalEvents = new Listeners<ApprovalEvent>('an approval');
  readonly gauges: Gauge[] = [];
  tracer: GuardedTracer | undefined;
  readonly facts = new Facts();
  readonly launcher = new ProgramLauncher();
  readonly httpRoutes = new RouteTable();
  readonly beforeAnswers = new PluginWorks('before answers');
  readonly reload = new PluginWorks('during a reload');
  readonly ready = new PluginWorks('after all were applied');
  fetch: OutboundFetch = plainFetch;
  effectOf: FindEffect = async () => ({ state: 'open' });
  addresses: OutboundAddresses = hostAddresses;
  callerCredentials: CredentialsSource | undefined;
  readonly credentialSources: PluginSource[] = [];
  outputBudget: number | undefined;
  makeInbox: ((host: ApprovalHost) => ApprovalInbox) | undefined;
  approvals: ApprovalInbox | undefined;
  callEngine: ((host: EngineHost) => CallEngine) | undefined;
  /** The plugin of each addition, by the addition's name. */
  readonly #owners = new Map<string, string>();
  #approvalProof: ApprovalProof = 'flag';
  #sealed = false;

  get approvalProof(): ApprovalProof {
    return this.#approvalProof;
  }

  /** True when a plugin gives calls with `once` a single effect. */
  get hasOnce(): boolean {
    return this.#owners.has(onceCalls);
  }

  /** Throws INVALID_PARAMETERS for an invalid `once`, and PLUGIN_INVALID when no plugin supports it. */
  requireOnce({ name: tool }: Pick<Tool, 'name'>, once: unknown): void {
    // A host makes an empty name of a missing one: two different calls would count as one.
    if (typeof once !== 'string' || once === '' || once.length > 1000) {
      const given = typeof once === 'string' ? `${once.length}` : describeValue(once);
      const message = `"${tool}" was called with a "once" that is invalid: expected a text of 1 to 1000 characters, received ${given}.`;
      throw new ToolkitError('INVALID_PARAMETERS', message, { tool });
    }
    if (this.hasOnce) return;
    const message = `"${tool}" was called with "once", which no plugin of this configuration supports. Add callsOnce(), or leave it out.`;
    throw new ToolkitError('PLUGIN_INVALID', message, { tool });
  }

  /** Returns `fetch` for a plugin outside of calls, with the wrappers of all plugins. Throws PLUGIN_INVALID before all have been added. */
  fetchOf(plugin: string): OutboundFetch {
    return async (input, init, options = {}) => {
      const use = 'uses its fetch inside apply(), before the wrappers of other plugins are known. Use it later, such as inside a tap.';
      if (!this.#sealed) throw new ToolkitError('PLUGIN_INVALID', `Plugin "${plugin}" ${use}`, { plugin });
      if (!(input instanceof Request)) refuseLongHost(input);
      return this.fetch(input, init, { tenant: `plugin ${plugin}`, ...options, trust: options.trust ?? 'package' });
    };
  }

  /** Creates the keeper of approval records, if a plugin has set one. */
  openInbox(calls: DurableCalls, report: ApprovalHost['report']): void {
    this.approvals = this.makeInbox?.({
      hasOnce: this.hasOnce,
      effectOf: this.effectOf,
      report,
      wakeCall: (name, answer) => calls.wake(name, answer),
    });
  }

  /** Adds the kernel's own gauges, whose names no plugin may take. Returns all gauges. */
  gaugesWith(running: MeasuredKernel['running'], sources: MeasuredKernel['sources']): readonly Gauge[] {
    const own = kernelGauges({ running, sources, store: this.state.numbers });
    for (const { name } of own) this.#owners.set(`the gauge "${name}"`, kernelOwner);
    this.gauges.push(...own);
    return this.gauges;
  }

  /** Refuses all later additions. */
  seal(): void {
    this.#sealed = true;
  }

  /** Returns `extend` for one plugin. */
  of(plugin: string, logger: Logger): Extend {
    return {
      execution: <S extends TSchema>(
        type: string,
        { identify, ...description }: ExecutionType<Static<S>> & { readonly identify?: Identify },
      ): ExecutionReader<Static<S>> => {
        this.#own(`the execution type "${type}"`, plugin);
        this.executionTypes.set(type, description as ExecutionType);
        this.sources.typeOwners.set(type, plugin);
        if (identify !== undefined) this.identifiers.set(type, identify);
        return executionReader<Static<S>>(type);
      },
      definitionKey: <T>(name: string, schema?: TSchema, options: KeyOptions<T> = {}): DefinitionKey<T> => {
        // Several plugins may enforce the same reserved key.
        if (schema === undefined) this.#refuseLate(`the definition key "${name}"`, plugin);
        else this.#own(`the definition key "${name}"`, plugin);
        return this.keys.define(name, schema, options);
      },
      parameterKey: (name, identify) => {
        this.#refuseLate(`the parameter key "${name}"`, plugin);
        if (identify !== undefined) this.parameterIdentifiers.push(identify);
        this.keys.enforceParameterKey(name);
        return (parameter) => holdsKey(parameter, name);
      },
      referenceReader: (read) => {
        this.#own('the reading of values by path', plugin);
        this.readReference = read;
      },
      reserveKey: (name, scope = {}) => {
        this.#refuseLate(`the definition key "${name}"`, plugin);
        this.keys.reserve(name, scope);
      },
      encoding: (name, encode) => {
        this.#own(`the encoding "${name}"`, plugin);
        this.encodings.set(name, encode);
      },
      controlFiles: (patterns, options) => {
        this.#refuseLate('control files', plugin);
        this.controlFiles.add(plugin, patterns, options);
      },
      fetch: (wrap) => {
        this.#refuseLate('a fetch wrapper', plugin);
        this.fetch = wrap(this.fetch);
      },
      addresses: (wrap) => {
        this.#refuseLate('an address wrapper', plugin);
        this.addresses = wrap(this.addresses);
      },
      status: (name, read) => {
        this.#own(`the status "${name}"`, plugin);
        this.statuses.set(name, read);
      },
      callerCredentials: (given) => {
        if (typeof given !== 'function') {
          this.credentialSources.push({ plugin: this.#refuseLate('a source of credentials', plugin), source: given });
          return;
        }
        this.#own('credentials of callers', plugin);
        this.callerCredentials = { plugin, of: given };
      },
      beforeAnswers: (work) => {
        this.#refuseLate('work before answers', plugin);
        this.beforeAnswers.add(plugin, work);
      },
      ready: (work) => {
        this.#refuseLate('work of the start', plugin);
        this.ready.add(plugin, work);
      },
      reload: (work) => {
        this.#refuseLate('work of a reload', plugin);
        this.reload.add(plugin, work);
      },
      refusals: (listener) => this.refusals.add(this.#refuseLate('a listener to refusals', plugin), listener),
      stateStore: (store) => {
        this.#own('the store', plugin);
        this.state.use(store);
      },
      callEngine: (make) => {
        this.#own('the engine of durable calls', plugin);
        this.callEngine = make;
      },
      approvalInbox: (make) => {
        this.#own('the records of approvals', plugin);
        this.makeInbox = make;
      },
      approvalEvents: (listener) => this.approvalEvents.add(this.#refuseLate('a listener to approvals', plugin), listener),
      gauge: (gauge) => {
        this.#own(`the gauge "${gauge.name}"`, plugin);
        this.gauges.push(gauge);
      },
      tracer: (tracer) => {
        this.#own('the tracer', plugin);
        this.tracer = new GuardedTracer(tracer, (error) =>
          logger.error(`Plugin "${plugin}" failed to trace. Calls go on, their traces have gaps: ${messageOf(error)}`, { plugin }),
        );
      },
      launcher: (launcher) => this.launcher.use(launcher, () => this.#own('the launcher of programs', plugin)),
      source: (name, source) => {
        this.#refuseLate(`the source "${name}"`, plugin);
        return { ...this.sources.add(name, plugin, source), controlFiles: () => this.controlFiles.current };
      },
      withhold: (find) => {
        this.withholders.push({ plugin: this.#refuseLate('the withholding of items', plugin), find });
      },
      roots: (read) => {
        this.#own('the folders that tools may use', plugin);
        this.sources.roots = read;
      },
      callsOnce: (effectOf) => {
        this.#own(onceCalls, plugin);
        this.effectOf = effectOf;
      },
      outputBudget: (characters) => {
        this.#own('the budget of outputs', plugin);
        this.outputBudget = characters;
      },
      httpRoute: (route) => {
        checkRoute(route, plugin);
        this.#own(`the route "${route.path}"`, plugin);
        return this.httpRoutes.add(route);
      },
      fact: (kind, value) => this.facts.add(this.#refuseLate(`the fact "${kind.name}"`, plugin), kind, value),
      approvalProof: (proof) => {
        this.#own('the proof of approval', plugin);
        this.#approvalProof = proof;
      },
    };
  }

  /** Registers an addition that only one plugin may make. */
  #own(what: string, plugin: string): void {
    this.#refuseLate(what, plugin);
    const owner = this.#owners.get(what);
    if (owner !== undefined) {
      const whose = owner === kernelOwner ? 'the kernel has. Choose another name.' : 'another plugin has added. Remove one of the two.';
      throw new ToolkitError('PLUGIN_INVALID', `Plugin "${plugin}" adds ${what}, which ${whose}`, { plugin });
    }
    this.#owners.set(what, plugin);
  }

  #refuseLate(what: string, plugin: string): string {
    if (this.#sealed)
      throw new ToolkitError('PLUGIN_INVALID', `Plugin "${plugin}" adds ${what} after apply(). Do it inside apply().`, { plugin });
    return plugin;
  }
}
