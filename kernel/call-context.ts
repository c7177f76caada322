import type { CallRequest, CallServices } from './call-request.ts';
import { type CallClient, maskedClient } from './client.ts';
import type { Tool } from './definition/link.ts';
import { messageOf, ToolkitError } from './errors.ts';
import type { Call, CallContext, CallOrigin, Progress, ToolView } from './hooks.ts';
import type { Masking } from './log/bounded-text.ts';
import { maskedLogger } from './log/masked-logger.ts';
import type { OutboundAddresses, OutboundFetch } from './outbound.ts';
import { parseUrl } from './parse-url.ts';
import { HookRun } from './run.ts';
import type { Redactor } from './secrets/redact.ts';
import type { Secret } from './secrets/secret.ts';

/** The context that the taps of one call get. */
export class CallRun extends HookRun implements CallContext {
  readonly callId: string;
  readonly tool: Tool;
  readonly caller: string;
  readonly origin: CallOrigin;
  readonly tools: ToolView;
  readonly #services: CallServices;
  readonly #own: Redactor;
  readonly #masking: Masking;
  readonly #client: CallClient | undefined;
  #maskedClient: CallClient | undefined;
  /** Aborts with the call, and when it has ended: nobody waits for an answer then. */
  #asking: AbortController | undefined;
  #hasEnded = false;
  readonly #onProgress: ((progress: Progress) => void) | undefined;

  constructor(services: CallServices, request: CallRequest, id: string, tool: Tool, own: Redactor, mask: <T>(value: T) => T) {
    const masking: Masking = { mask, reach: () => Math.max(own.longest, services.redactor.longest) };
    super(maskedLogger(services.logger, masking), mask, tool.name);
    this.#masking = masking;
    this.callId = id;
    this.tool = tool;
    this.caller = request.caller ?? 'default';
    this.origin = request.origin ?? 'host';
    this.tools = toolView(services, request, () => this.signal);
    this.#services = services;
    this.#own = own;
    this.#onProgress = request.onProgress;
    this.#client = request.client;
    followSignal(this, request.signal);
  }

  get fetch(): OutboundFetch {
    const { tool } = this;
    return (input, init, options) => {
      const isOwn = tool.origin.trust === 'operator' || isOperatorsBase(tool, input instanceof Request ? input.url : input);
      return this.#services.fetch(input, init, { ...options, trust: isOwn ? 'operator' : 'package' });
    };
  }

  get addressesOf(): OutboundAddresses {
    const { trust } = this.tool.origin;
    return (host, port, options) => this.#services.addresses(host, port, { ...options, trust });
  }

  get client(): CallClient {
    this.#maskedClient ??= maskedClient(this.#client ?? {}, this.#masking, () => this.#askingSignal());
    return this.#maskedClient;
  }

  async encode(name: string, values: Readonly<Record<string, unknown>>, options: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const encoding = this.#services.encodings.get(name);
    if (encoding === undefined) {
      throw new ToolkitError(
        'TOOL_INVALID',
        `There is no encoding "${name}". Expected one of ${[...this.#services.encodings.keys()].join(', ')}.`,
        { tool: this.tool.name },
      );
    }
    return encoding(values, options);
  }

  /** Nothing that the tool says from now on reaches the caller. */
  end(): void {
    this.#hasEnded = true;
    this.#asking?.abort(new ToolkitError('ABORTED', 'The call has ended.', { tool: this.tool.name }));
  }

  #askingSignal(): AbortSignal {
    if (this.#asking !== undefined) return this.#asking.signal;
    const asking = new AbortController();
    this.#asking = asking;
    const { signal } = this;
    if (signal.aborted || this.#hasEnded) asking.abort(signal.reason);
    else signal.addEventListener('abort', () => asking.abort(signal.reason), { once: true });
    return asking.signal;
  }

  progress(progress: Progress): void {
    if (this.abortReason !== undefined || this.#hasEnded) return;
    try {
      const { progress: done, total, message } = progress;
      // Member by member, as plain values, because only those are searched for secrets.
      const note = {
        ...(typeof done === 'number' ? { progress: done } : {}),
        ...(typeof total === 'number' ? { total } : {}),
        ...(message === undefined ? {} : { message: String(message) }),
      };
      this.#onProgress?.(this.mask(note));
    } catch (error) {
      // It is the caller's own code that failed; the call goes on.
      this.logger.warn('onProgress failed', { error });
    }
  }

  async renewCredentials({ tool, credentials }: Call): Promise<ReadonlyMap<string, Secret> | undefined> {
    const { secrets } = this.#services;
    const needs = tool.credentials.filter(({ name }) => secrets.gave(credentials.get(name)));
    const changed = () => needs.filter(({ name, secret }) => ![undefined, credentials.get(name)].includes(secrets.get(secret)));
    // Another call may have brought new values already.
    if (needs.length > 0 && changed().length === 0) {
      await secrets
        .renew(needs.map(({ secret }) => secret))
        .catch((error: unknown) => this.logger.warn(`credentials could not be renewed: ${messageOf(error)}`));
    }
    const fresh = changed().map(({ name, secret }) => [name, secrets.get(secret) as Secret] as const);
    return fresh.length === 0 ? undefined : new Map([...credentials, ...fresh]);
  }

  redactAlso(name: string, value: string): void {
    this.#own.addDerived(name, value);
  }
}

/** True for the origin of a base URL that the operator set for the provider of a package. */
function isOperatorsBase({ provider }: Tool, url: string | URL): boolean {
  const base = provider?.origin.trust === 'operator' ? provider.definition.base_url : undefined;
  return base !== undefined && parseUrl(base)?.origin === new URL(url).origin;
}

function toolView(services: CallServices, request: CallRequest, signal: () => AbortSignal): ToolView {
  const isVisible = request.isVisible ?? (() => true);
  const { caller, origin, onProgress, client } = request;
  return {
    list: () => [...services.registry().tools.values()].filter(isVisible),
    get: (name) => services.registry().get(name, isVisible),
    skills: () => [...services.registry().skills.values()],
    reload: async () => (await services.reload()).problems,
    check: services.check,
    call: (name, parameters, approved) =>
      services.call({
        tool: name,
        parameters,
        isVisible,
        signal: signal(),
        ...(approved === true ? { approved } : {}),
        ...(typeof approved === 'string' ? { approval: approved } : {}),
        ...(caller === undefined ? {} : { caller }),
        ...(origin === undefined ? {} : { origin }),
        ...(onProgress === undefined ? {} : { onProgress }),
        ...(client === undefined ? {} : { client }),
      }),
  };
}

function followSignal(run: HookRun, signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  const abort = (): void =>
    run.abort(ToolkitError.is(signal.reason) ? signal.reason : new ToolkitError('ABORTED', 'The call was cancelled by its caller.'));
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
}
