import path from 'node:path';
import {
  didYouMean,
  excerpt,
  formatProblem,
  type Provider,
  type ProviderDefinition,
  type Registry,
  ToolkitError,
} from '../../../kernel/index.ts';
import type { SettingsUse } from '../../shared/oauth/account-service.ts';
import type { OAuthSettings } from '../../shared/oauth/types.ts';
import { knownProviders } from '../known-providers.ts';

/** A provider with a way to log in. */
export interface AccountProvider {
  readonly name: string;
  readonly description?: string;
  readonly documentationUrl?: string;
  /** Scopes by the name of their permission group. */
  readonly scopeGroups: Readonly<Record<string, readonly string[]>>;
  /** The definition; undefined for a provider that a plugin added. */
  readonly definition?: ProviderDefinition;
}

/** Reads the OAuth settings of definitions. */
export interface SettingsReader {
  /** Throws CONFIG_INVALID when a value is missing. */
  read(provider: Provider, use?: SettingsUse): Promise<OAuthSettings>;
  /** Returns true when the client id is known, so that people can log in. */
  hasClient(provider: Provider): Promise<boolean>;
  /** Returns the redirect address of the definition; undefined without one, and while its variable is not set. */
  redirectUri(provider: Provider): Promise<string | undefined>;
}

type ReadRegistry = Pick<Registry, 'providers' | 'presets' | 'problems'>;

/** Settings of providers that plugins add, by name. */
export type AddedProviders = Map<string, AddedSettings>;

type AddedSettings = (use?: SettingsUse) => Promise<OAuthSettings>;

/** The providers with a way to log in: those of the current registry with `oauth2`, and those that plugins add. */
export class AccountProviders {
  readonly #registry: () => ReadRegistry;
  readonly #added: ReadonlyMap<string, AddedSettings>;
  readonly #reader: SettingsReader;

  constructor(registry: () => ReadRegistry, added: AddedProviders, reader: SettingsReader) {
    this.#registry = registry;
    this.#added = added;
    this.#reader = reader;
  }

  /** Returns the providers by name. */
  list(): readonly AccountProvider[] {
    const defined = knownProviders(this.#registry());
    const added = [...this.#added.keys()].map((name) => ({ name, scopeGroups: {} }));
    return [...defined.map(toAccountProvider), ...added].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Returns the name of a provider that a person types in short: `tracker` is `upstream/tracker`, where no other provider is called so. */
  nameOf(typed: string): string {
    if (this.#added.has(typed) || knownProviders(this.#registry()).some(({ name }) => name === typed)) return typed;
    const [name, ...others] = [...this.#added.keys()].filter((full) => full.endsWith(`/${typed}`));
    return name === undefined || others.length > 0 ? typed : name;
  }

  /** Returns one provider. Throws INVALID_PARAMETERS with the nearest names. */
  get(name: string): AccountProvider {
    const found = this.#find(name);
    return typeof found === 'function' ? { name, scopeGroups: {} } : toAccountProvider(found);
  }

  /** Returns the OAuth settings of a provider. Throws INVALID_PARAMETERS for an unknown one, CONFIG_INVALID when its client id is missing. */
  async settings(name: string, use?: SettingsUse): Promise<OAuthSettings> {
    const found = this.#find(name);
    return typeof found === 'function' ? found(use) : this.#reader.read(found, use);
  }

  /** Returns true when people can log in to a provider: its client id is known. */
  async hasClient(name: string): Promise<boolean> {
    const found = this.#find(name);
    return typeof found === 'function' || this.#reader.hasClient(found);
  }

  /** Returns the redirect address to which a provider sends people back; undefined where each program has its own. */
  async redirectUri(name: string): Promise<string | undefined> {
    const found = this.#find(name);
    return typeof found === 'function' ? undefined : this.#reader.redirectUri(found);
  }

  #find(name: string): Provider | AddedSettings {
    const { providers, presets } = this.#registry();
    const known = providers.get(name) ?? presets.get(name);
    const provider = known?.definition.oauth2 === undefined ? undefined : known;
    const added = this.#added.get(name);
    // The tokens of one must never reach the other.
    if (provider !== undefined && added !== undefined) throw twice(name);
    const found = provider ?? added;
    if (found === undefined) throw this.#unknown(name, known !== undefined);
    return found;
  }

  #unknown(name: string, hasOtherCredential: boolean): ToolkitError {
    const shown = excerpt(name, 100);
    const broken = this.#registry().problems.find(({ severity, file }) => severity === 'error' && folderOf(file) === name);
    if (broken !== undefined) {
      const text = `The definition of "${shown}" is not used: ${excerpt(formatProblem(broken), 400)}`;
      return new ToolkitError('TOOL_INVALID', text, { provider: shown });
    }
    const names = this.list().map((known) => known.name);
    const expected = names.length === 0 ? 'No provider here has a login.' : `Providers with a login: ${names.join(', ')}.`;
    const message = hasOtherCredential
      ? `The provider "${shown}" has no "oauth2": it uses another kind of credential, not a login.`
      : `There is no provider "${shown}".${didYouMean(name, names)} ${expected}`;
    return new ToolkitError('INVALID_PARAMETERS', message, { provider: shown });
  }
}

/** Returns the name of the folder of a definition, which is that of its provider. */
function folderOf(file: string | undefined): string | undefined {
  return file === undefined ? undefined : path.basename(path.dirname(file));
}

function twice(name: string): ToolkitError {
  const message = `Two providers have the name "${excerpt(name, 100)}": a definition, and one that another plugin adds. Nobody can log in to either: rename one.`;
  return new ToolkitError('CONFIG_INVALID', message, { provider: name });
}

function toAccountProvider({ name, definition }: Provider): AccountProvider {
  const { description, documentation_url: documentationUrl } = definition.provider;
  return {
    name,
    definition,
    scopeGroups: definition.oauth2?.scopes ?? {},
    ...(description === undefined ? {} : { description }),
    ...(documentationUrl === undefined ? {} : { documentationUrl }),
  };
}
