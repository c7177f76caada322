import type { LinkOptions } from '../definition/link/link.ts';
import { digest } from '../definition/schema/digest.ts';
import type { OriginSource } from '../definition/schema/origin.ts';
import type { Derivation, Provider } from '../definition/schema/tool.ts';
import { excerpt, messageOf, ToolkitError } from '../errors.ts';
import type { Logger } from '../log/logger.ts';
import type { OutboundFetch } from '../outbound.ts';
import { parseUrl } from '../schema/parse-url.ts';
import type { DeclaredSource } from './declared-sources.ts';
import type { LinkedSource } from './linked-source.ts';
import { keyOfItem, type Listing, type SourceItem } from './listing.ts';
import { ListingSink } from './listing-sink.ts';
import { describeChange, PendingChanges } from './pending-change.ts';
import type { PendingChange, SourceState } from './source.ts';
import { sourceFetch } from './source-fetch.ts';
import { SourceLinks } from './source-links.ts';

/** The services for all sources of a kernel. */
export interface SourceServices {
  readonly logger: Logger;
  readonly mask: <T>(value: T) => T;
  readonly fetch: () => OutboundFetch;
  readonly roots: () => readonly string[];
  /** Finds a provider of plugins and packages, once the newest discovery is over. */
  readonly provider: (name: string) => Promise<Provider | undefined>;
  readonly executionTypesOf: (declared: DeclaredSource) => readonly string[];
  readonly linkOptions: () => LinkOptions;
  readonly closing: AbortSignal;
  /** Returns the time in epoch ms. */
  readonly now: () => number;
}

const defaultTimeoutMs = 10_000;

/** Codes of failures that need another credential. */
const authCodes: ReadonlySet<string> = new Set(['AUTH_FAILED', 'AUTH_REQUIRED', 'INSUFFICIENT_SCOPE', 'MISSING_PARAMETER']);

/** One source of a running kernel: its newest listing, and the accepted items. */
export class RunningSource {
  readonly declared: DeclaredSource;
  readonly origin: OriginSource;
  /** Secrets of the account that the source names, as the newest listing found them. */
  #accountSecrets: readonly string[] = [];
  /** Time of the last successful listing, in epoch ms. */
  listedAt: number | undefined;
  readonly #services: SourceServices;
  /** Accepted items and those of the first listing, by key, including items that are no longer listed. */
  readonly #accepted = new Map<string, SourceItem>();
  readonly #changes: PendingChanges;
  #listing: Listing | undefined;
  #failure: ToolkitError | undefined;
  #isAuthFailure = false;
  /** The controller of the running listing, and its end. */
  #running: AbortController | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #hasLinkProblems = false;
  readonly #links: SourceLinks;
  /** Number of failures in a row. */
  failures = 0;

  constructor(declared: DeclaredSource, services: SourceServices) {
    this.declared = declared;
    this.#services = services;
    const { secrets = [], urls = [] } = declared.source;
    const urlOrigins = urls.flatMap((url) => parseUrl(url)?.origin ?? []);
    const allSecrets = (): readonly string[] => [...secrets, ...this.#accountSecrets];
    this.origin = {
      ...{ name: declared.name, executionTypes: services.executionTypesOf(declared), urlOrigins },
      get secrets() {
        return allSecrets();
      },
    };
    this.#changes = new PendingChanges(declared.name);
    this.#links = new SourceLinks(declared, this.origin, services);
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
    const { problems } = this.#listing;
    if (this.withheld.length > 0 || problems.some(({ code }) => code === 'APPROVAL_REQUIRED')) return 'quarantined';
    return this.#hasLinkProblems || problems.some(({ severity }) => severity === 'error') ? 'degraded' : 'ready';
  }

  /**
   * Lists within the time limit. Returns true when something may have changed. Never throws: after a failure the previous listing stays. A newer
   * listing aborts a running one, which then ends with it.
   */
  async list(): Promise<boolean> {
    const before = this.#fingerprint();
    this.#ended = this.#list();
    for (let last: unknown; last !== this.#ended; ) {
      last = this.#ended;
      await last;
    }
    return before === undefined || before !== this.#fingerprint();
  }

  async #list(): Promise<void> {
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
  }

  /** Records a failure; the previous listing stays. */
  fail(error: unknown): void {
    const { logger, mask, closing } = this.#services;
    if (closing.aborted) return;
    const said = excerpt(mask(messageOf(error)), 400);
    const { name, plugin } = this.declared;
    const kept = this.#listing === undefined ? 'Nothing was listed before' : 'The previous listing stays';
    const message = `The source "${name}" of plugin "${plugin}" could not be listed: ${said.replace(/\.$/, '')}. ${kept}; it will be listed again.`;
    if (this.#failure?.message !== message) logger.warn(message, { source: name, plugin });
    const code = ToolkitError.is(error) ? error.code : 'PLUGIN_FAILED';
    this.#failure = new ToolkitError(code, message, { plugin }, { cause: error });
    this.#isAuthFailure = authCodes.has(code);
    this.failures++;
  }

  /** Returns the usable items in their accepted form; all items of `listing` if it is given. */
  itemsOf(listing: Listing | undefined = this.#listing, isAccepting = false): readonly SourceItem[] {
    const usable: SourceItem[] = [];
    for (const item of listing?.items ?? []) {
      const accepted = this.#accepted.get(keyOfItem(item));
      // The same object if nothing changed, except that items with functions get the newer ones, and providers their newer `$defs`: tools that reach
      // a changed one are withheld.
      if (accepted?.digest === item.digest)
        usable.push(item.value === undefined && accepted.sharedDigest === item.sharedDigest ? accepted : item);
      else if (isAccepting) usable.push(item);
    }
    return usable;
  }

  /** The withheld changes. */
  get withheld(): readonly PendingChange[] {
    return this.withheldOf(this.#listing);
  }

  withheldOf(listing: Listing | undefined): readonly PendingChange[] {
    const changed = (listing?.items ?? []).filter((item) => this.#accepted.get(keyOfItem(item))?.digest !== item.digest);
    return changed.map((item) => this.#changes.of(item, this.#accepted.get(keyOfItem(item))));
  }

  /** Lets the source record changes that a person accepts. Throws what the source throws. */
  async acceptChanges(changes: readonly PendingChange[]): Promise<void> {
    if (changes.length > 0) await this.declared.source.onAccept?.(changes);
  }

  /** Accepts these items as they are in `listing`. */
  accept(isSeen: (item: SourceItem) => boolean = () => true, listing: Listing | undefined = this.#listing): void {
    for (const item of listing?.items ?? []) if (isSeen(item)) this.#accepted.set(keyOfItem(item), item);
  }

  /** Links the items, unless they are the same as the last time or their link result is cached. `derivations`: those of plugins, to be cached. */
  async linked(items: readonly SourceItem[], derivations: readonly Derivation[]): Promise<LinkedSource> {
    const result = await this.#links.link(items, this.#listing, derivations);
    this.#hasLinkProblems = result.problems.some(({ severity }) => severity === 'error');
    return result;
  }

  /** Returns the listing of this version, if it is known. */
  #known(version: string): Listing | undefined {
    return this.#listing?.version === version ? this.#listing : this.#links.cachedListing(version);
  }

  /** Returns a fingerprint of the listing; undefined when functions make it incomparable. */
  #fingerprint(): string | undefined {
    const { items = [], problems = [] } = this.#listing ?? {};
    if (items.some(({ value }) => value !== undefined)) return undefined;
    return digest([items.map((item) => [item.digest, item.sharedDigest]), problems, this.#failure?.message]);
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
    // Only its `$defs` may differ, and the digests of tools cover those that they reach.
    const isSameProvider = (item: SourceItem): boolean =>
      item.kind === 'provider' && this.#accepted.get(keyOfItem(item))?.digest === item.digest;
    this.accept(isFirst || this.declared.source.trust === 'all' ? undefined : isSameProvider);
    const fresh = this.withheld.map(describeChange).filter((words) => !before.has(words));
    if (fresh.length === 0) return;
    const more = fresh.length > 5 ? ` and ${fresh.length - 5} more` : '';
    const shown = this.#services.mask(fresh.slice(0, 5).join(', ') + more);
    this.#services.logger.warn(`the source "${this.name}" has changed: withheld until a person accepts it: ${shown}`, {
      source: this.name,
    });
  }

  async #listOnce(running: AbortController): Promise<Listing> {
    const { source, name } = this.declared;
    const { timeoutMs = defaultTimeoutMs } = source;
    const { logger, fetch, roots, closing, provider } = this.#services;
    const account = source.account === undefined ? undefined : await provider(source.account);
    this.#accountSecrets = Object.keys(account?.definition.oauth2?.provides ?? {});
    const sink = new ListingSink(name, (version) => this.#known(version));
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
      const work = async (): Promise<void> =>
        source.list({ sink, fetch: guarded.fetch, roots: roots(), signal, logger, ...(account === undefined ? {} : { account }) });
      await Promise.race([work(), over]);
      return await sink.listing();
    } finally {
      clearTimeout(timer);
      closing.removeEventListener('abort', end);
      guarded.end();
    }
  }
}
