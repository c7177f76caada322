import { randomUUID } from 'node:crypto';
import type { CallClient } from '../../client/client.ts';
import { maskedClient } from '../../client/masked-client.ts';
import type { Tool } from '../../definition/schema/tool.ts';
import type { Preview } from '../../discovery/live-registry.ts';
import { ToolkitError } from '../../errors.ts';
import type { ControlFiles } from '../../files/control-files.ts';
import type { Masking } from '../../log/bounded-text.ts';
import { discard, type Logger } from '../../log/logger.ts';
import { maskedLogger } from '../../log/masked-logger.ts';
import type { OutboundAddresses, OutboundFetch } from '../../outbound.ts';
import { CallMasking, fullMasking, type OwnMasking } from '../../secrets/call-masking.ts';
import type { CallSecrets } from '../../secrets/call-secrets.ts';
import type { ScopeRefusal } from '../../secrets/credential-source.ts';
import { maskInSlices } from '../../secrets/mask-in-slices.ts';
import type { Redactor } from '../../secrets/redact.ts';
import type { Secret } from '../../secrets/secret.ts';
import { HookRun } from '../../taps/hook-run.ts';
import type { TapEffect } from '../../taps/tap-effect.ts';
import type { MaybePromise } from '../../time/maybe-promise.ts';
import type { GuardedTracer } from '../../trace/guarded-tracer.ts';
import type { Call, CallOrigin } from '../draft.ts';
import { type Progress, plainProgress } from '../progress.ts';
import type { CallRequest } from '../request.ts';
import { withAccess } from './ask-access.ts';
import { askWhileRunning } from './ask-while-running.ts';
import { CallAccounts } from './call-accounts.ts';
import { callSpan, traceIdOf } from './call-span.ts';
import type { CallContext } from './context.ts';
import { addressesFor, encodeWith, fetchFor } from './context-members.ts';
import { toolView } from './make-tool-view.ts';
import { liveCall, renewedCredentials } from './renewed-credentials.ts';
import type { CallServices } from './services.ts';
import type { ToolView } from './tool-view.ts';

/** A running call as its taps see it: their context, until the call ends. */
export class RunningCall extends HookRun implements CallContext {
  readonly callId = randomUUID();
  /** Set when the call has found it: no tap runs before. */
  tool!: Tool;
  readonly caller: string;
  readonly tenant: string;
  /** The tenant that sources of credentials are asked for. */
  readonly accountTenant: string;
  readonly origin: CallOrigin;
  readonly isTrial: boolean;
  /** The caller's listener for tap effects; absent without one. */
  readonly onTap?: (effect: TapEffect) => void;
  /** The masking of this call's own secrets. */
  readonly own: OwnMasking;
  /** The accounts of the call. Absent while it has none. */
  accounts?: CallAccounts;
  readonly #services: CallServices;
  readonly #request: CallRequest;
  /** True when the span ends with the call. */
  #hasOwnSpan = false;
  #stopFollowing: (() => void) | undefined;
  #hasEnded = false;
  #requests = 0;
  #maskedLogger: Logger | undefined;
  #client: CallClient | undefined;
  #tools: ToolView | undefined;
  #preview: Promise<Preview> | undefined;
  /** Aborts at the end of the call: questions to the client are then pointless. */
  #ended: AbortController | undefined;

  constructor(services: CallServices, request: CallRequest) {
    const own: OwnMasking = { masking: undefined };
    super(services.logger, (value) => (own.masking ?? services.masking.redactor).value(value), request.tool);
    this.own = own;
    this.#services = services;
    this.#request = request;
    this.caller = request.caller ?? 'default';
    this.tenant = request.tenant ?? this.caller;
    this.accountTenant = request.accountTenant ?? this.tenant;
    this.origin = request.origin ?? 'host';
    this.isTrial = request.isTrial ?? false;
    const { onTap } = request;
    if (onTap !== undefined) this.onTap = (effect) => this.#notify('onTap', () => onTap(this.mask(effect)));
  }

  /** Starts the span of the call, whose tool was found. */
  beginSpan(tracer: GuardedTracer): void {
    // A trial fails always, and nothing has run: it is no call.
    if (this.isTrial) return;
    const begun = callSpan(tracer, this.tool.name, this.#request.trace);
    this.span = begun?.span;
    this.#hasOwnSpan = begun?.isOwn === true;
  }

  /** Returns the id of the trace, also of a call that found no tool. Empty outside of one. */
  placeInTrace(): { readonly traceId?: string } {
    const traceId = this.span?.traceId ?? traceIdOf(this.#request.trace, this.#services.extensions.tracer);
    return traceId === undefined ? {} : { traceId };
  }

  /** Lets the caller cancel the call, and the kernel end it on close. */
  override onWait(): void {
    if (this.#stopFollowing !== undefined) return;
    const { signal } = this.#request;
    this.#services.running.set(this, this);
    this.#stopFollowing = signal === undefined ? () => {} : this.follow(typeof signal === 'function' ? signal() : signal);
  }

  override get logger(): Logger {
    this.#maskedLogger ??= maskedLogger(super.logger, this.fullMasking);
    return this.#maskedLogger;
  }

  /** The parameters as the caller gave them, before defaults and the changes of plugins. */
  get given(): Readonly<Record<string, unknown>> {
    return this.#request.parameters ?? {};
  }

  get fetch(): OutboundFetch {
    return fetchFor(this, this.tool, this.#services.extensions.fetch);
  }

  /** Counts a request that may reach a service. Returns a function that takes it back. */
  countRequest(): () => void {
    this.#requests++;
    return () => void this.#requests--;
  }

  /** True while no request of a tool that acts only by requests may have reached a service. */
  get isUnsent(): boolean {
    const { type } = this.tool.execution;
    return this.#requests === 0 && this.#services.extensions.executionTypes.get(type)?.actsByFetch === true;
  }

  get addressesOf(): OutboundAddresses {
    return addressesFor(this.tool, this.#services.extensions.addresses);
  }

  get controlFiles(): ControlFiles {
    return this.#services.extensions.controlFiles.current;
  }

  get output(): CallContext['output'] {
    return { budget: this.origin === 'model' ? this.#services.extensions.outputBudget : undefined };
  }

  get tools(): ToolView {
    this.#tools ??= toolView(
      this.#services,
      this.#request,
      () => this.signal,
      () => this.#preview,
      this.span,
    );
    return this.#tools;
  }

  previewReload(): Promise<Preview> {
    this.#preview ??= this.#services.live.preview();
    return this.#preview;
  }

  get client(): CallClient {
    this.#client ??= maskedClient(this.#request.client ?? {}, this.fullMasking, () => this.#askingSignal());
    return this.#client;
  }

  encode(...given: Parameters<CallContext['encode']>): Promise<unknown> {
    return encodeWith(this.#services, this.tool, ...given);
  }

  progress(progress: Progress): void {
    const { onProgress } = this.#request;
    if (onProgress === undefined || this.abortReason !== undefined || this.#hasEnded) return;
    this.#notify('onProgress', () => onProgress(this.mask(plainProgress(progress))));
  }

  resolveSecrets(names: readonly string[]): Promise<CallSecrets> {
    return this.#services.callerSecrets.of(this, names);
  }

  async renewCredentials(call: Call, scopesLacked?: ScopeRefusal): Promise<ReadonlyMap<string, Secret> | undefined> {
    if (scopesLacked === undefined) return renewedCredentials(this.#services, call, this);
    const { approve: limitMs } = this.#services.timeoutsMs;
    return withAccess(
      this,
      () => renewedCredentials(this.#services, call, this, scopesLacked),
      (work) => askWhileRunning(this, limitMs, work),
    );
  }

  withLiveCredentials(call: Call): MaybePromise<Call> {
    return call.credentials.size === 0 ? call : liveCall(this.#services, call, this);
  }

  /** Returns the accounts of the call, created on first use: most calls have none. */
  ownAccounts(): CallAccounts {
    this.accounts ??= new CallAccounts(this.#services.callerSecrets.sourced.handles);
    return this.accounts;
  }

  /** Records the accounts that these credentials open. */
  useAccounts(credentials: Call['credentials']): void {
    if (credentials.size > 0) this.ownAccounts().use(credentials);
  }

  /** Returns the names of the used accounts by provider, masked. Empty without any. */
  usedAccounts(): { readonly account?: Readonly<Record<string, string>> } {
    const names = this.accounts?.names;
    return names === undefined ? {} : { account: this.fullMasking.mask(names) };
  }

  maskAlso(name: string, value: string): void {
    if (!this.#hasEnded) this.ownMasking().maskAlso(name, value);
  }

  /** Masks the caller's accounts in the error and the record of a failed call, which may have ended before it asked for them. */
  maskAccounts(): void {
    const { callerSecrets, masking } = this.#services;
    callerSecrets.maskGiven({ caller: this.caller, tenant: this.accountTenant }, () => {
      this.own.masking ??= new CallMasking(masking, { isPure: false, own: undefined });
      return this.own.masking;
    });
  }

  maskInSlices<T>(value: T): MaybePromise<T> {
    return maskInSlices(value, { mask: this.mask, reach: this.fullMasking.reach });
  }

  /** True when debug lines are logged. */
  get isWatched(): boolean {
    return this.#services.logger.debug !== discard;
  }

  /** The masking of every secret that this call may know. */
  get fullMasking(): Masking {
    return fullMasking(this.own, this.#services.masking);
  }

  /** Returns the masking of this call's own secrets, created on first use. Throws ABORTED when the call has ended. */
  ownMasking(own?: Redactor): CallMasking {
    if (this.#hasEnded) throw this.#endedError();
    this.own.masking ??= new CallMasking(this.#services.masking, { isPure: this.tool.definition.pure === true, own });
    return this.own.masking;
  }

  /** Ends the context: later reports of the tool do not reach the caller. */
  end(error?: ToolkitError): void {
    this.#hasEnded = true;
    if (this.#hasOwnSpan) this.span?.end(error?.code);
    this.#stopFollowing?.();
    this.#ended?.abort(this.#endedError());
  }

  /** Forgets the call and its secrets, after every plugin has seen its end. */
  leave(): void {
    this.#services.running.delete(this);
    this.own.masking?.end();
  }

  #askingSignal(): AbortSignal {
    if (this.#hasEnded) return AbortSignal.abort(this.#endedError());
    if (this.#ended === undefined) {
      const ended = new AbortController();
      // Not AbortSignal.any: Node keeps such a signal, and this call with it, as long as it has a listener.
      if (this.signal.aborted) ended.abort(this.signal.reason);
      else this.signal.addEventListener('abort', () => ended.abort(this.signal.reason), { once: true });
      this.#ended = ended;
    }
    return this.#ended.signal;
  }

  #endedError(): ToolkitError {
    return new ToolkitError('ABORTED', 'The call has ended.', { tool: this.#request.tool });
  }

  /** Runs code of the caller. If it throws, the call goes on. */
  #notify(label: string, listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.logger.warn(`${label} failed`, { error });
    }
  }
}
