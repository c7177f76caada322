import { type CallEnd, type Kernel, messageOf, type Tool } from '../../../kernel/index.ts';
import { hasSecrets } from './has-secrets.ts';

/**
 * Tracks the tools that have their required secrets (`hasSecrets`), for hosts that list only those. A tool counts as unavailable until all resolvers have
 * answered. While a resolver fails, tools that were available stay, and a missing secret adds none.
 */
export class Availability {
  readonly #kernel: Kernel;
  readonly #listeners = new Set<() => void>();
  readonly #stopListening: () => void;
  #keys: ReadonlySet<string>;
  #last: Promise<void> = Promise.resolve();
  /** The next refresh, when it has not begun yet. */
  #next: Promise<void> | undefined;

  /** Requires that the kernel has resolved its secrets. Refreshes after each reload. */
  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#keys = keysOf(kernel);
    this.#stopListening = kernel.onReload(() => void this.refresh());
  }

  readonly isAvailable = (tool: Tool): boolean => tool.credentials.length === 0 || this.#keys.has(keyOf(tool));

  /** Calls `listener` whenever the set of available tools changes. Returns a function that ends this. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Checks after each call whether it has found a missing secret, or missed an existing one. */
  onCallEnd({ tool, outcome }: CallEnd): void {
    if (tool === undefined || (outcome.type === 'failed' && outcome.error.code === 'SECRET_STORE_UNAVAILABLE')) return;
    if (hasSecrets(this.#kernel, tool) !== this.isAvailable(tool)) void this.refresh();
  }

  /** Resolves the missing secrets. Never rejects. */
  refresh(): Promise<void> {
    this.#next ??= this.#last.then(() => {
      this.#next = undefined;
      return this.#ask();
    });
    this.#last = this.#next;
    return this.#next;
  }

  close(): void {
    this.#stopListening();
    this.#listeners.clear();
  }

  async #ask(): Promise<void> {
    const before = this.#keys;
    const failure = await this.#kernel.resolveSecrets().then(
      () => undefined,
      (error: unknown) => messageOf(error),
    );
    if (this.#kernel.closing.aborted) return;
    const now = keysOf(this.#kernel);
    if (failure === undefined) this.#keys = now;
    else {
      this.#keys = new Set([...before, ...now]);
      this.#kernel.logger.warn(
        `it is not known which tools have their secrets: tools that were listed stay listed, and others are listed when they can be called or a reload finds their secrets. ${failure}`,
      );
    }
    if (this.#keys.size === before.size && [...this.#keys].every((key) => before.has(key))) return;
    for (const listener of this.#listeners) listener();
  }
}

function keysOf(kernel: Kernel): ReadonlySet<string> {
  const tools = [...kernel.registry.tools.values()].filter(({ credentials }) => credentials.length > 0);
  return new Set(tools.filter((tool) => hasSecrets(kernel, tool)).map(keyOf));
}

/** Returns the key of a tool: it changes with the secrets that the tool needs. */
function keyOf({ name, credentials }: Tool): string {
  return [name, ...credentials.map(({ secret }) => secret)].join(' ');
}
