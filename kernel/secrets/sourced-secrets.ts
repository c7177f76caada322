import type { Tool } from '../definition/schema/tool.ts';
import { excerpt, messageOf, ToolkitError } from '../errors.ts';
import { askSource, type PluginSource } from './ask-source.ts';
import type { CallMasking } from './call-masking.ts';
import type { CredentialOwner, ScopeRefusal } from './credential-source.ts';
import type { Secret } from './secret.ts';
import { SourcedHandles } from './sourced-handles.ts';

/** The call for which secrets are resolved. */
export interface SecretsUser {
  readonly caller: string;
  /** The tenant whose stored credentials are used: see `CallRequest.accountTenant`. */
  readonly accountTenant: string;
  readonly tool: Tool;
  readonly signal: AbortSignal;
  /** Returns the masking of the call's own secrets. */
  ownMasking(): CallMasking;
  /** Returns the receiver of each credential that a source lacks. */
  ownAccounts(): { recordLack(lack: LackedCredential): void };
}

/** A credential that a source lacks for a caller. */
export interface LackedCredential extends PluginSource {
  /** The error of a call that cannot do without it. */
  readonly error: ToolkitError;
}

/** Values that a service has refused. */
export interface RefusedValues {
  /** By the name of the secret. */
  readonly values: ReadonlyMap<string, string>;
  /** Set when they were refused for want of scopes. */
  readonly scopesLacked?: ScopeRefusal;
}

/** The answers of all sources to one request. */
export interface SourcedAnswers {
  readonly found: ReadonlyMap<string, Secret>;
  readonly lacked: ReadonlyMap<string, LackedCredential>;
  /** The names that are left to the resolver chain. */
  readonly open: readonly string[];
}

/** The sources' knowledge of the credentials of a caller, without values. */
export interface KnownCredentials {
  /** Names for which a call would get a value. */
  readonly promised: ReadonlySet<string>;
  /** Names for which a call would fail. */
  readonly lacking: ReadonlySet<string>;
  /** Names for which a source does not know it. */
  readonly unknown: ReadonlySet<string>;
}

/** Asks the sources of plugins for credentials of callers, in the order of the configuration. */
export class SourcedSecrets {
  readonly handles: SourcedHandles;
  readonly #sources: readonly PluginSource[];

  /** `sources` may grow until the kernel is open. `now` returns the time in epoch ms. */
  constructor(sources: readonly PluginSource[], now: () => number) {
    this.#sources = sources;
    this.handles = new SourcedHandles(now);
  }

  /** Returns true when some source may have a value of some of these secrets. */
  providesAny(names: readonly string[]): boolean {
    // Most kernels have no source, and each call asks.
    if (this.#sources.length === 0) return false;
    return names.some((name) => this.#sources.some((named) => provides(named, name)));
  }

  /** Asks each source for the names that it provides and that no earlier source has answered. Throws what `askSource` throws. */
  async find(user: SecretsUser, wanted: readonly string[], { values, scopesLacked }: RefusedValues): Promise<SourcedAnswers> {
    const { caller, accountTenant: tenant, tool, signal } = user;
    const mask = <T>(value: T): T => user.ownMasking().maskFully(value);
    const found = new Map<string, Secret>();
    const lacked = new Map<string, LackedCredential>();
    const closed = new Set<string>();
    for (const named of this.#sources) {
      const names = wanted.filter((name) => !closed.has(name) && provides(named, name));
      if (names.length === 0) continue;
      const owner = { plugin: named.plugin, caller, tenant };
      const refused = new Map([...values].filter(([name]) => names.includes(name)));
      const again = { ...(refused.size === 0 ? {} : { refused }), ...(scopesLacked === undefined ? {} : { scopesLacked }) };
      const request = { caller, tenant, tool, signal, names, ...again };
      for (const [name, answer] of await askSource(named, request, mask)) {
        const isValue = !('missing' in answer);
        if (isValue) found.set(name, this.handles.of(owner, name, answer));
        else this.handles.forget(owner, name);
        const isFinal = isValue || answer.isFinal === true;
        if (!isValue && (isFinal || !lacked.has(name))) lacked.set(name, { ...named, error: answer.missing });
        if (isFinal) closed.add(name);
      }
    }
    return { found, lacked, open: wanted.filter((name) => !closed.has(name)) };
  }

  /** Returns the handles on the values that sources gave to earlier calls of a caller. */
  givenTo(owner: CredentialOwner): readonly Secret[] {
    return this.#sources.flatMap(({ plugin }) => this.handles.ofOwner({ ...owner, plugin }));
  }

  /** Asks the sources for their knowledge. The names of a failing source are unknown. */
  async known(owner: CredentialOwner, names: readonly string[]): Promise<KnownCredentials> {
    const known = { promised: new Set<string>(), lacking: new Set<string>(), unknown: new Set<string>() };
    const isOpen = (name: string): boolean => !known.promised.has(name) && !known.lacking.has(name) && !known.unknown.has(name);
    for (const named of this.#sources) {
      const wanted = names.filter((name) => isOpen(name) && provides(named, name));
      if (wanted.length === 0) continue;
      try {
        const answers = await named.source.known?.(owner, wanted);
        for (const name of wanted) {
          const answer = answers?.get(name);
          if (answers === undefined) known.unknown.add(name);
          else if (answer !== undefined) known[answer ? 'promised' : 'lacking'].add(name);
        }
      } catch {
        // The call itself reports this error.
        for (const name of wanted) known.unknown.add(name);
      }
    }
    return known;
  }
}

function provides({ plugin, source }: PluginSource, name: string): boolean {
  try {
    return source.provides(name);
  } catch (error) {
    const message = `Plugin "${plugin}" failed to say which secrets it provides: ${excerpt(messageOf(error))}`;
    throw new ToolkitError('PLUGIN_FAILED', message, { plugin }, { cause: error });
  }
}
