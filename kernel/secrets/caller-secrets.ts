import { messageOf, ToolkitError } from '../errors.ts';
import { describeValue, isPlainObject } from '../json/json.ts';
import type { CallMasking } from './call-masking.ts';
import type { CallerCredentials, CallSecrets, CredentialsSource } from './call-secrets.ts';
import { isGuessable } from './guessable.ts';
import { revealSecret, Secret } from './secret.ts';
import type { SecretChain } from './secret-chain.ts';

/** Resolves the secrets of calls: the caller's own if a plugin provides credentials of callers, else those of the resolver chain. */
export class CallerSecrets {
  readonly #chain: SecretChain;
  readonly #extensions: { readonly callerCredentials: CredentialsSource | undefined };
  /** Handles by the credentials object of a plugin. Released together with that object. */
  readonly #handles = new WeakMap<object, Map<string, Secret>>();

  constructor(chain: SecretChain, extensions: { readonly callerCredentials: CredentialsSource | undefined }) {
    this.#chain = chain;
    this.#extensions = extensions;
  }

  /**
   * Returns the secrets of one call. Masks the caller's own values, and guessable values of the chain, in the result of this call and in all logs
   * while it runs. The results of other calls do not mask them: a caller could guess a secret by what is masked. Throws SECRET_STORE_UNAVAILABLE.
   */
  async of(caller: string, names: readonly string[], masking: () => CallMasking): Promise<CallSecrets> {
    const values = await this.#valuesOf(caller);
    const chain = this.#chain;
    if (values === 'chain') {
      await chain.ensure(names);
      for (const handle of names.map((name) => chain.get(name)))
        if (handle !== undefined && chain.isSecret(handle.name)) this.#use(handle, masking);
      return { get: (name) => chain.get(name), areOwn: false };
    }
    const own = masking();
    own.taint();
    own.share();
    const handles = new Map(names.map((name) => [name, this.#handle(values, name)] as const));
    for (const [name, handle] of handles) if (handle !== undefined && chain.isSecret(name)) own.maskAlso(handle.name, revealSecret(handle));
    return { get: (name) => handles.get(name), areOwn: true };
  }

  /** Masks a guessable secret for this call. The kernel masks the others already. */
  #use(handle: Secret, masking: () => CallMasking): void {
    if (!isGuessable(revealSecret(handle))) return;
    masking().use(handle);
  }

  /** Returns the known values of a caller, and the names that are known to be missing. A name in neither of them is not known. */
  async known(caller: string, names: readonly string[]): Promise<{ readonly lacking: ReadonlySet<string>; get: CallSecrets['get'] }> {
    const chain = this.#chain;
    // The call itself reports this error.
    const values = await this.#valuesOf(caller).catch(() => undefined);
    if (values === undefined) return { lacking: new Set(), get: () => undefined };
    if (values === 'chain') return { lacking: await chain.findMissing(names), get: (name) => chain.get(name) };
    const get = (name: string): Secret | undefined => this.#handle(values, name);
    return { lacking: new Set(names.filter((name) => get(name) === undefined)), get };
  }

  async #valuesOf(caller: string): Promise<CallerCredentials> {
    const source = this.#extensions.callerCredentials;
    if (source === undefined) return 'chain';
    const { plugin, of } = source;
    const failed = (problem: string, cause?: unknown): ToolkitError =>
      new ToolkitError(
        'SECRET_STORE_UNAVAILABLE',
        `The credentials of the caller "${caller}" are not known: ${problem}.`,
        { plugin },
        { cause },
      );
    try {
      const given: unknown = (await of(caller)) ?? {};
      if (given === 'chain') return given;
      const wrong = isPlainObject(given) ? Object.entries(given).find(([, value]) => typeof value !== 'string') : undefined;
      if (isPlainObject(given) && wrong === undefined) return given as Readonly<Record<string, string>>;
      const where = wrong === undefined ? '' : ` as ${wrong[0]}`;
      // Names only the type: the value may be part of a secret.
      const received = describeValue(wrong === undefined ? given : wrong[1]).split(' ')[0];
      throw failed(`plugin "${plugin}" gave a value of type ${received}${where}, expected texts by the names of secrets, or "chain"`);
    } catch (error) {
      throw ToolkitError.is(error) ? error : failed(messageOf(error), error);
    }
  }

  /** Returns the same handle while the value stays the same: results are cached by handle. */
  #handle(values: Readonly<Record<string, string>>, name: string): Secret | undefined {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === '') return undefined;
    const handles = this.#handles.get(values) ?? new Map<string, Secret>();
    this.#handles.set(values, handles);
    const known = handles.get(name);
    if (known !== undefined && revealSecret(known) === value) return known;
    const handle = new Secret(name, value);
    handles.set(name, handle);
    return handle;
  }
}
