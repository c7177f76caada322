import { messageOf, ToolkitError } from '../errors.ts';
import { describeValue, isPlainObject } from '../json/json.ts';
import type { CallerCredentials, CredentialsSource } from './call-secrets.ts';
import { revealSecret, Secret } from './secret.ts';

/** The records of the plugin that gives callers their own credentials. Without such a plugin, each caller has those of the resolver chain. */
export class CallerRecords {
  readonly #extensions: { readonly callerCredentials: CredentialsSource | undefined };
  /** Handles by the credentials object of a plugin. Released together with that object. */
  readonly #handles = new WeakMap<object, Map<string, Secret>>();

  constructor(extensions: { readonly callerCredentials: CredentialsSource | undefined }) {
    this.#extensions = extensions;
  }

  /** Returns the credentials of a caller. Throws SECRET_STORE_UNAVAILABLE. */
  async of(caller: string): Promise<CallerCredentials> {
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

  /** Returns the handle on a value of a record: the same one while the value stays the same, because results are cached by handle. */
  handle(values: Readonly<Record<string, string>>, name: string): Secret | undefined {
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
