import type { Tool } from '../definition/schema/tool.ts';
import type { PluginSource } from './ask-source.ts';
import type { CallMasking } from './call-masking.ts';
import type { CallSecrets, CredentialsSource } from './call-secrets.ts';
import { CallerRecords } from './caller-records.ts';
import type { CredentialOwner } from './credential-source.ts';
import { isGuessable } from './guessable.ts';
import { revealSecret, Secret } from './secret.ts';
import type { SecretChain } from './secret-chain.ts';
import { type RefusedValues, type SecretsUser, SourcedSecrets } from './sourced-secrets.ts';

/** The known secrets of a caller. A name that is neither lacking nor has a handle is not known. */
export interface KnownSecrets {
  readonly lacking: ReadonlySet<string>;
  /** Names for which a source would give a value: their handles hold none. */
  readonly promised: ReadonlySet<string>;
  get(name: string): Secret | undefined;
}

interface CredentialExtensions {
  readonly callerCredentials: CredentialsSource | undefined;
  readonly credentialSources: readonly PluginSource[];
}

const noNames: ReadonlySet<string> = new Set();
const noRefusal: RefusedValues = { values: new Map() };
const noMissing = (): undefined => undefined;

/**
 * Resolves the secrets of calls. For each name the first that has it: the caller's record of the plugin that gives such records, the sources of
 * plugins, and the resolver chain for a caller without a record.
 */
export class CallerSecrets {
  readonly sourced: SourcedSecrets;
  readonly #chain: SecretChain;
  readonly #records: CallerRecords;

  /** `now` returns the time in epoch ms. */
  constructor(chain: SecretChain, extensions: CredentialExtensions, now: () => number) {
    this.#chain = chain;
    this.#records = new CallerRecords(extensions);
    this.sourced = new SourcedSecrets(extensions.credentialSources, now);
  }

  /** Returns true for a tool of which some credential may come from a source. */
  maySource({ credentials }: Tool): boolean {
    return this.sourced.providesAny(credentials.map(({ secret }) => secret));
  }

  /**
   * Returns the secrets of one call. Masks the caller's own values, and guessable values of the chain, in the result of this call and in all logs
   * while it runs. The results of other calls do not mask them: a caller could guess a secret by what is masked. `refused`: for the
   * sources. Throws SECRET_STORE_UNAVAILABLE.
   */
  of(user: SecretsUser, names: readonly string[], refused?: RefusedValues): Promise<CallSecrets> {
    return this.sourced.providesAny(names) ? this.#withSources(user, names, refused) : this.#withoutSources(user, names);
  }

  async #withoutSources(user: SecretsUser, names: readonly string[]): Promise<CallSecrets> {
    const values = await this.#records.of(user.caller);
    const chain = this.#chain;
    if (values === 'chain') {
      await chain.ensure(names);
      this.#maskGuessable(user, names);
      return { get: (name) => chain.get(name), missing: noMissing, areOwn: false, usesChain: true };
    }
    const handles = new Map(names.map((name) => [name, this.#records.handle(values, name)] as const));
    this.#maskOwn(user, handles.values());
    return { get: (name) => handles.get(name), missing: noMissing, areOwn: true, usesChain: false };
  }

  async #withSources(user: SecretsUser, names: readonly string[], refused: RefusedValues = noRefusal): Promise<CallSecrets> {
    const values = await this.#records.of(user.caller);
    const recorded = names.flatMap((name) => (values === 'chain' ? [] : (this.#records.handle(values, name) ?? [])));
    const handles = new Map(recorded.map((handle) => [handle.name, handle]));
    const unrecorded = names.filter((name) => !handles.has(name));
    const { found, lacked, open } = await this.sourced.find(user, unrecorded, refused);
    for (const [name, handle] of found) handles.set(name, handle);
    const areOwn = values !== 'chain' || found.size > 0;
    if (areOwn) this.#maskOwn(user, handles.values());
    const chained = values === 'chain' ? open : [];
    if (chained.length > 0) await this.#chain.ensure(chained);
    this.#maskGuessable(user, chained);
    for (const name of chained) {
      const handle = this.#chain.get(name);
      if (handle !== undefined) handles.set(name, handle);
    }
    for (const [name, lack] of lacked) if (!handles.has(name)) user.ownAccounts().recordLack(lack);
    return {
      get: (name) => handles.get(name),
      missing: (name) => (handles.has(name) ? undefined : lacked.get(name)?.error),
      areOwn,
      usesChain: chained.length > 0,
    };
  }

  /**
   * Masks the values that sources gave to earlier calls of the caller, in a call that has failed: a call whose parameters are refused has asked for
   * none, and its error and its record may hold one.
   */
  maskGiven(owner: CredentialOwner, own: () => CallMasking): void {
    for (const handle of this.sourced.givenTo(owner))
      if (this.#chain.isSecret(handle.name)) own().maskAlso(handle.name, revealSecret(handle));
  }

  /** Masks values of the caller. */
  #maskOwn(user: SecretsUser, handles: Iterable<Secret | undefined>): void {
    const own = user.ownMasking();
    own.taint();
    own.share();
    for (const handle of handles)
      if (handle !== undefined && this.#chain.isSecret(handle.name)) own.maskAlso(handle.name, revealSecret(handle));
  }

  /** Masks guessable values of the chain for this call. The kernel masks the others already. */
  #maskGuessable(user: SecretsUser, names: readonly string[]): void {
    const chain = this.#chain;
    for (const handle of names.map((name) => chain.get(name)))
      if (handle !== undefined && chain.isSecret(handle.name) && isGuessable(revealSecret(handle))) user.ownMasking().use(handle);
  }

  /** Returns the known secrets of a caller. Never rejects: the call itself reports the error. */
  async known(owner: CredentialOwner, names: readonly string[]): Promise<KnownSecrets> {
    const chain = this.#chain;
    const nothing: KnownSecrets = { lacking: noNames, promised: noNames, get: () => undefined };
    const values = await this.#records.of(owner.caller).catch(() => undefined);
    if (values === undefined) return nothing;
    const stored = (name: string): Secret | undefined => (values === 'chain' ? chain.get(name) : this.#records.handle(values, name));
    const lackingOf = async (rest: readonly string[]): Promise<ReadonlySet<string>> =>
      values === 'chain' ? chain.findMissing(rest) : new Set(rest.filter((name) => stored(name) === undefined));
    if (!this.sourced.providesAny(names)) return { lacking: await lackingOf(names), promised: noNames, get: stored };
    const isGiven = (name: string): boolean => values !== 'chain' && stored(name) !== undefined;
    const { promised, lacking, unknown } = await this.sourced.known(
      owner,
      names.filter((name) => !isGiven(name)),
    );
    const isAnswered = (name: string): boolean => promised.has(name) || lacking.has(name) || unknown.has(name);
    const rest = await lackingOf(names.filter((name) => !isAnswered(name)));
    const get = (name: string): Secret | undefined => {
      if (promised.has(name)) return new Secret(name, name);
      return lacking.has(name) || unknown.has(name) ? undefined : stored(name);
    };
    return { lacking: new Set([...lacking, ...rest]), promised, get };
  }
}
