import type { OriginSource } from '../definition/check-definition.ts';
import { digest } from '../definition/digest.ts';
import type { LinkOptions } from '../definition/link.ts';
import { excerpt, messageOf, ToolkitError } from '../errors.ts';
import type { Logger } from '../log/logger.ts';
import type { OutboundFetch } from '../outbound.ts';
import { parseUrl } from '../schema/parse-url.ts';
import type { DeclaredSource } from './declared-sources.ts';
import { type LinkedSource, linkSource } from './link-source.ts';
import { keyOfItem, type Listing, type SourceItem } from './listing.ts';
import { ListingSink } from './listing-sink.ts';
import { describeChange, pendingChange } from './pending-change.ts';
import type { PendingChange, SourceState } from './source.ts';
import { sourceFetch } from './source-fetch.ts';

/** The services that all sources of a kernel are given. */
export interface SourceServices {
  readonly logger: Logger;
  readonly mask: <T>(value: T) => T;
  readonly fetch: () => OutboundFetch;
  readonly roots: () => readonly string[];
  readonly executionTypesOf: (declared: DeclaredSource) => readonly string[];
  readonly linkOptions: () => LinkOptions;
  readonly closing: AbortSignal;
  /** Epoch ms. */
  readonly now: () => number;
}

const defaultTimeoutMs = 10_000;

/** Codes of failures that only another credential can end. */
const authCodes: ReadonlySet<string> = new Set(['AUTH_FAILED', 'INSUFFICIENT_SCOPE', 'MISSING_PARAMETER']);

/** One source of a running kernel: its newest listing, and what of it somebody has seen. */
export class RunningSource {
  readonly declared: DeclaredSource;
  readonly origin: OriginSource;
  /** Epoch ms of the last listing that did not fail. */
  listedAt: number | undefined;
  readonly #services: SourceServices;
  /** What somebody has seen, or was there at first, by key; also of what is not listed any more. */
  readonly #accepted = new Map<string, SourceItem>();
  #listing: Listing | undefined;
  #failure: ToolkitError | undefined;
  #isAuthFailure = false;
  /** The controller of the listing that runs. */
  #running: AbortController | undefined;
  #linked: { readonly items: readonly SourceItem[]; readonly result: LinkedSource } | undefined;
  #hasLinkProblems = false;
  /** How often in a row it has failed. */
  failures = 0;

  constructor(declared: DeclaredSource, services: SourceServices) {
    this.declared = declared;
    this.#services = services;
    const { secrets = [], urls = [] } = declared.source;
    const urlOrigins = urls.flatMap((url) => parseUrl(url)?.origin ?? []);
    this.origin = { name: declared.name, executionTypes: services.executionTypesOf(declared), secrets, urlOrigins };
  }

  get name(): string {
    return this.declared.name;
  }

  get listing(): Listing | undefined {
    return this.#listing;
  }

  get failure(): ToolkitError | undefined {
    return this.#failure;
  }

  get state(): SourceState {
    if (this.#failure !== undefined) {
      if (this.#isAuthFailure) return 'needs-auth';
      return this.#listing === undefined ? 'down' : 'degraded';
    }
    if (this.#listing === undefined) return 'starting';
    if (this.withheld.length > 0) return 'quarantined';
    return this.#hasLinkProblems || this.#listing.problems.some(({ severity }) => severity === 'error') ? 'degraded' : 'ready';
  }

  /**
   * Lists within its time limit; true where anything may be different now. Never throws: what it listed before stays when it fails. A newer
   * listing ends one that runs.
   */
  async list(): Promise<boolean> {
    const before = this.#fingerprint();
    this.#running?.abort(new ToolkitError('ABORTED', 'A newer listing of this source has begun.'));
    const running = new AbortController();
    this.#running = running;
    try {
      const listing = await this.#listOnce(running);
      if (this.#running === running) this.#take(listing);
    } catch (error) {
      if (this.#running === running) this.fail(error);
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
    return before === undefined || before !== this.#fingerprint();
  }

  /** It cannot be listed for now: what it listed before stays. */
  fail(error: unknown): void {
    const { logger, mask, closing } = this.#services;
    if (closing.aborted) return;
    const said = excerpt(mask(messageOf(error)), 400);
    const { name, plugin } = this.declared;
    const kept = this.#listing === undefined ? 'It has given nothing yet' : 'What it gave before stays';
    const message = `The source "${name}" of plugin "${plugin}" could not be listed: ${said.replace(/\.$/, '')}. ${kept}; it is tried again.`;
    if (this.#failure?.message !== message) logger.warn(message, { source: name, plugin });
    const code = ToolkitError.is(error) ? error.code : 'PLUGIN_FAILED';
    this.#failure = new ToolkitError(code, message, { plugin }, { cause: error });
    this.#isAuthFailure = authCodes.has(code);
    this.failures++;
  }

  /** The items that may be used: as somebody has seen them; all of `listing` where it is given. */
  itemsOf(listing: Listing | undefined = this.#listing, isAccepting = false): readonly SourceItem[] {
    const usable: SourceItem[] = [];
    for (const item of listing?.items ?? []) {
      const accepted = this.#accepted.get(keyOfItem(item));
      // The same object as before where nothing differs, but what has functions has newer ones.
      if (accepted?.digest === item.digest) usable.push(item.value === undefined ? accepted : item);
      else if (isAccepting) usable.push(item);
    }
    return usable;
  }

  /** What is listed otherwise than somebody has seen it. */
  get withheld(): readonly PendingChange[] {
    return this.withheldOf(this.#listing);
  }

  withheldOf(listing: Listing | undefined): readonly PendingChange[] {
    const changed = (listing?.items ?? []).filter((item) => this.#accepted.get(keyOfItem(item))?.digest !== item.digest);
    return changed.map((item) => pendingChange(item, this.#accepted.get(keyOfItem(item)), this.name));
  }

  /** Somebody has seen these items, as they are in `listing`. */
  accept(isSeen: (item: SourceItem) => boolean = () => true, listing: Listing | undefined = this.#listing): void {
    for (const item of listing?.items ?? []) if (isSeen(item)) this.#accepted.set(keyOfItem(item), item);
  }

  /** Links them, unless they are the ones that were linked the last time. */
  async linked(items: readonly SourceItem[]): Promise<LinkedSource> {
    const defined = items.filter(({ kind }) => kind === 'tool' || kind === 'provider');
    const last = this.#linked;
    if (last !== undefined && last.items.length === defined.length && last.items.every((item, index) => item === defined[index]))
      return last.result;
    const { plugin } = this.declared;
    const result = await linkSource(defined, { plugin, source: this.origin }, this.#services.linkOptions());
    this.#linked = { items: defined, result };
    this.#hasLinkProblems = result.problems.some(({ severity }) => severity === 'error');
    return result;
  }

  /** Undefined where two listings cannot be told to be the same: functions may be others. */
  #fingerprint(): string | undefined {
    const { items = [], problems = [] } = this.#listing ?? {};
    if (items.some(({ value }) => value !== undefined)) return undefined;
    return digest([items.map((item) => item.digest), problems, this.#failure?.message]);
  }

  #take(listing: Listing): void {
    const isFirst = this.#listing === undefined;
    const before = new Set(isFirst ? [] : this.withheld.map(describeChange));
    this.#listing = listing;
    if (this.#failure !== undefined) this.#services.logger.info(`the source "${this.name}" can be listed again`, { source: this.name });
    this.#failure = undefined;
    this.#isAuthFailure = false;
    this.failures = 0;
    this.listedAt = this.#services.now();
    if (isFirst || this.declared.source.trust === 'all') this.accept();
    const fresh = this.withheld.map(describeChange).filter((words) => !before.has(words));
    if (fresh.length === 0) return;
    const more = fresh.length > 5 ? ` and ${fresh.length - 5} more` : '';
    const shown = this.#services.mask(fresh.slice(0, 5).join(', ') + more);
    this.#services.logger.warn(`the source "${this.name}" has changed: withheld until somebody has seen it: ${shown}`, {
      source: this.name,
    });
  }

  async #listOnce(running: AbortController): Promise<Listing> {
    const { source, name } = this.declared;
    const { timeoutMs = defaultTimeoutMs } = source;
    const { logger, fetch, roots, closing } = this.#services;
    const sink = new ListingSink(name);
    const { signal } = running;
    const end = (): void => running.abort(new ToolkitError('ABORTED', 'The listing was ended because the kernel is closing.'));
    closing.addEventListener('abort', end, { once: true });
    if (closing.aborted) end();
    const late = new ToolkitError('TIMEOUT', `it took longer than its time limit, ${timeoutMs} ms`);
    const timer = setTimeout(() => running.abort(late), timeoutMs);
    const over = new Promise<never>((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    const guarded = sourceFetch(fetch, this.origin, signal);
    try {
      const work = async (): Promise<void> => source.list({ sink, fetch: guarded.fetch, roots: roots(), signal, logger });
      await Promise.race([work(), over]);
      return await sink.listing();
    } finally {
      clearTimeout(timer);
      closing.removeEventListener('abort', end);
      guarded.end();
    }
  }
}
