import path from 'node:path';
import { Approvals } from './approval/approvals.ts';
import { checkRequest, requestOf } from './call/check-request.ts';
import type { CallOutput } from './call/output.ts';
import type { Refusal } from './call/refusals.ts';
import type { CallRequest, ExecuteOptions } from './call/request.ts';
import { RunningCalls } from './call/running-calls.ts';
import { type PlannedServices, startCall } from './call.ts';
import type { LinkOptions } from './definition/link/link.ts';
import { type Advise, checkTool } from './definition/registry/check-tool.ts';
import type { Registry } from './definition/registry/registry.ts';
import type { Origin } from './definition/schema/origin.ts';
import type { Problem } from './definition/schema/problem.ts';
import { Discovery } from './discovery/discovery.ts';
import { LiveRegistry } from './discovery/live-registry.ts';
import { DurableCalls } from './durable/durable-calls.ts';
import type { DurableOptions } from './durable/durable-request.ts';
import { messageOf, ToolkitError } from './errors.ts';
import type { ApprovalProof } from './extend.ts';
import { Extensions } from './extensions.ts';
import { Guard } from './guard.ts';
import { hookRules } from './hook-rules.ts';
import { createHooks } from './hooks.ts';
import type { JsonObject } from './json/json.ts';
import type { Kernel, KernelSettings } from './kernel-api.ts';
import { kernelLogger } from './log/kernel-logger.ts';
import type { Logger } from './log/logger.ts';
import { Plans } from './plan.ts';
import { flattenPlugins, type Plugin, type PluginApi, type PluginEntry } from './plugin.ts';
import { checkOptions } from './schema/check-options.ts';
import { CallerSecrets } from './secrets/caller-secrets.ts';
import { KernelMasking } from './secrets/kernel-masking.ts';
import { maskedError } from './secrets/masked-error.ts';
import { type Secret, SecretStore } from './secrets/secret.ts';
import { SecretChain } from './secrets/secret-chain.ts';
import type { RunningServer, ServeOptions } from './serve/serve-sink.ts';
import { Sources } from './source/sources.ts';
import type { ConfiguredTap } from './taps/configured-tap.ts';
import type { Fact, FactKind } from './taps/facts.ts';
import { defaultTimeoutsMs, type HookName } from './taps/hook-names.ts';
import { HookRun } from './taps/hook-run.ts';
import type { MaybePromise } from './time/maybe-promise.ts';

export interface KernelOptions extends KernelSettings {
  readonly plugins: readonly PluginEntry[];
}

/** Applies the plugins in order, seals the hooks and discovers the tools. Throws ToolkitError for an invalid plugin. */
export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const plugins = flattenPlugins(options.plugins);
  const kernel = new RunningKernel(plugins, options);
  try {
    for (const plugin of plugins) await kernel.apply(plugin);
    await kernel.open();
  } catch (error) {
    await kernel.close().catch(() => {});
    throw error;
  }
  return kernel;
}

class RunningKernel implements Kernel {
  readonly plugins: readonly Plugin[];
  readonly logger: Logger;
  readonly calls: DurableCalls;
  readonly approvals = new Approvals(() => this.#extensions.approvals);
  readonly #hooks = createHooks();
  readonly #guard = new Guard(this.#hooks, hookRules);
  readonly #masking = new KernelMasking();
  readonly #timeoutsMs: Readonly<Record<HookName, number>>;
  readonly #cwd: string;
  readonly #store: SecretStore;
  readonly #secrets: SecretChain;
  readonly #extensions = new Extensions();
  readonly httpRoutes = this.#extensions.httpRoutes;
  readonly #sources: Sources;
  readonly sources: Kernel['sources'];
  tracer: Kernel['tracer'];
  readonly #live: LiveRegistry;
  readonly #running = new RunningCalls();
  readonly gauges = this.#extensions.gaugesWith(this.#running, () => this.#sources.all);
  readonly #services: PlannedServices;
  #state: 'applying' | 'open' | 'closed' = 'applying';
  #closed: Promise<void> | undefined;
  readonly #closeStarted = new AbortController();
  readonly hasSource = (secret: string): boolean => this.#services.callerSecrets.sourced.providesAny([secret]);
  readonly reportRefusal = (refusal: Refusal): void => this.#extensions.refusals.report(this.mask(refusal), this.logger);

  constructor(plugins: readonly Plugin[], options: KernelOptions) {
    this.plugins = plugins;
    this.logger = kernelLogger(options.logger, this.#masking.ofLogs);
    this.#timeoutsMs = { ...defaultTimeoutsMs, ...options.timeoutsMs };
    this.#cwd = path.resolve(options.cwd ?? process.cwd());
    const now = options.now ?? Date.now;
    this.#store = new SecretStore(now);
    this.#secrets = new SecretChain({
      hooks: this.#hooks,
      store: this.#store,
      redactor: this.#masking.redactor,
      logger: this.logger,
      timeoutMs: this.#timeoutsMs.resolveSecrets,
      now,
      isSecret: (name) => !this.registry.openNames.has(name),
    });
    const { logger, closing } = this;
    const shared = { logger, closing, mask: this.#masking.mask, linkOptions: () => this.linkOptions };
    const discovery = new Discovery({ ...shared, hooks: this.#hooks, timeoutMs: this.#timeoutsMs.discover });
    this.#sources = new Sources(this.#extensions.sources, { ...shared, now, fetch: () => this.#extensions.fetch });
    this.#live = new LiveRegistry((...given) => discovery.run(...given), this.#extensions, this.#sources);
    this.sources = this.#sources.controlledBy(this.#live);
    this.#services = {
      plans: new Plans(this.#hooks),
      registry: () => this.registry,
      masking: this.#masking,
      logger: this.logger,
      timeoutsMs: this.#timeoutsMs,
      extensions: this.#extensions,
      secrets: this.#secrets,
      callerSecrets: new CallerSecrets(this.#secrets, this.#extensions, now),
      call: (request) => this.call(request),
      live: this.#live,
      check: (...given) => this.check(...given),
      running: this.#running,
    };
    this.calls = new DurableCalls({ ...this.#services, mask: this.#masking.mask, extensions: this.#extensions, closing });
  }

  async apply(plugin: Plugin): Promise<void> {
    await checkOptions(plugin);
    const ports = this.#guard.portsOf(plugin.name);
    const ready = (): Kernel => this.#readyFor(plugin.name);
    const api: PluginApi = {
      hooks: ports.hooks,
      logger: this.logger,
      cwd: this.#cwd,
      extend: this.#extensions.of(plugin.name, this.logger),
      fetch: this.#extensions.fetchOf(plugin.name),
      state: this.#extensions.state.of(plugin.name),
      maskAlso: (name, value) => this.#masking.maskAlso(name, value, this.logger),
      get kernel() {
        return ready();
      },
    };
    try {
      await plugin.apply(api);
    } catch (error) {
      if (ToolkitError.is(error)) throw error.with({ plugin: plugin.name });
      throw new ToolkitError(
        'PLUGIN_FAILED',
        `Plugin "${plugin.name}" failed in apply(): ${messageOf(error)}`,
        { plugin: plugin.name, hook: 'apply' },
        { cause: error },
      );
    } finally {
      ports.end();
    }
  }

  #readyFor(plugin: string): Kernel {
    if (this.#state !== 'applying') return this;
    const use = 'uses its kernel inside apply(), before the kernel is ready. Use it inside a tap.';
    throw new ToolkitError('PLUGIN_INVALID', `Plugin "${plugin}" ${use}`, { plugin });
  }

  async open(): Promise<void> {
    this.#guard.seal();
    this.#extensions.seal();
    this.tracer = this.#extensions.tracer;
    this.#extensions.controlFiles.add('kernel', () => this.#live.controlFiles, { what: 'what decides which tools run, and how' });
    this.#state = 'open';
    if (this.#extensions.callEngine !== undefined) this.calls.open(this.#extensions.callEngine);
    this.#extensions.openInbox(this.calls, (event) => this.#extensions.approvalEvents.report(this.mask(event), this.logger));
    await this.#extensions.ready.runOrThrow();
    await this.#live.open();
  }

  get registry(): Registry {
    return this.#live.registry;
  }

  fingerprints(): Promise<ReadonlyMap<string, string>> {
    return this.#live.fingerprints();
  }

  get linkOptions(): LinkOptions {
    const { executionTypes, encodings, keys } = this.#extensions;
    return { executionTypes, encodings: [...encodings.keys()], keys };
  }

  tapsOf(hook: HookName): readonly ConfiguredTap[] {
    return this.#guard.order(hook);
  }

  facts<T>(kind: FactKind<T>): readonly Fact<T>[] {
    return this.#extensions.facts.of(kind);
  }

  start(request: CallRequest): MaybePromise<CallOutput> {
    if (typeof request?.tool !== 'string' || request.trace !== undefined) checkRequest(request);
    if (this.#state !== 'open') throw new ToolkitError('ABORTED', 'The kernel is closed: no calls are accepted.', { tool: request.tool });
    return startCall(this.#services, request);
  }

  beforeAnswers(): MaybePromise<void> {
    return this.#extensions.beforeAnswers.run(this.logger, this.#masking.mask, this.#timeoutsMs.settled);
  }

  async call(request: CallRequest): Promise<CallOutput> {
    return this.start(request);
  }

  async execute(tool: string, given?: object, options: ExecuteOptions | DurableOptions = {}): Promise<never> {
    const request = requestOf(tool, given, options);
    if ('durable' in options) return (await this.calls.submit(tool, request.parameters, options)) as never;
    return (await this.call(request)).output as never;
  }

  async resolveSecrets(names?: readonly string[]): Promise<void> {
    const all = () => [...new Set([...this.registry.tools.values()].flatMap((tool) => tool.credentials.map(({ secret }) => secret)))];
    await this.#secrets.ensure(names ?? all()).catch((error: unknown) => {
      throw ToolkitError.is(error) ? maskedError(error, (value) => this.mask(value)) : error;
    });
  }

  secret(name: string): Secret | undefined {
    return this.#secrets.get(name);
  }

  resolverOf(secret: string): string | undefined {
    return this.#store.resolverOf(secret);
  }

  status(): JsonObject {
    const statuses = [...this.#extensions.statuses].map(([name, read]) => [name, read()]);
    return { ...Object.fromEntries(statuses), ...this.#sources.status(this.registry) };
  }

  get approvalProof(): ApprovalProof {
    return this.#extensions.approvalProof;
  }

  mask<T>(value: T): T {
    return this.#masking.mask(value);
  }

  async reload({ code = false }: { readonly code?: boolean } = {}): Promise<Registry> {
    await this.#extensions.reload.run(this.logger, this.#masking.mask, this.#timeoutsMs.discover);
    return this.#live.reload(code);
  }

  check(definition: unknown, origin: Partial<Origin> = {}, advise?: Advise): readonly Problem[] {
    return checkTool(definition, { trust: 'operator', plugin: 'check', ...origin }, this.registry, this.linkOptions, advise);
  }

  onReload(listener: (registry: Registry) => void): () => void {
    return this.#live.onReload(listener);
  }

  async serve(options: ServeOptions = {}): Promise<readonly RunningServer[]> {
    const servers: RunningServer[] = [];
    const run = new HookRun(this.logger, (value) => this.mask(value));
    await run.stage('serve', this.#timeoutsMs.serve, () =>
      this.#hooks.serve.promise({ ...options, started: (server) => servers.push(server) }, run),
    );
    return servers;
  }

  close({ drainMs = 0 }: { readonly drainMs?: number } = {}): Promise<void> {
    this.#closed ??= this.#close(drainMs);
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get closing(): AbortSignal {
    return this.#closeStarted.signal;
  }

  async #close(drainMs: number): Promise<void> {
    this.#guard.seal();
    this.#state = 'closed';
    this.#closeStarted.abort();
    await this.#running.drain(drainMs);
    this.#running.abort(new ToolkitError('ABORTED', 'The call was ended because the kernel is closing.', { isLost: true }));
    await this.#running.drain(this.#timeoutsMs.settled);
    const run = new HookRun(this.logger, (value) => this.mask(value));
    await run.stage('dispose', this.#timeoutsMs.dispose, () => this.#hooks.dispose.promise(run));
    await run.stage('dispose', this.#timeoutsMs.dispose, () => this.#extensions.state.close());
    const [first] = run.collected;
    if (first === undefined) return;
    const messages = run.collected.map(({ message }) => message).join(' ');
    throw new ToolkitError('PLUGIN_FAILED', `Closing was not clean: ${messages}`, first.details, {
      cause: new AggregateError(run.collected),
    });
  }
}
