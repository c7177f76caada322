import { type CallContext, type Kernel, renderValue, type Secret, ToolkitError } from '../../kernel/index.ts';
import type { ServerSettings } from './settings.ts';

/** Resolves secrets for a request: those of its caller, or of the operator. */
export type ResolveSecrets = (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** The services of the kernel. `reveal`: from the copy of the kernel that runs. */
export interface SecretServices {
  readonly kernel: Pick<Kernel, 'resolveSecrets' | 'secret' | 'mask'>;
  readonly reveal: (secret: Secret) => string;
}

/** The `env` or `headers` of one server, with the secrets of whoever asks. */
export class ServerValues {
  readonly #settings: ServerSettings;
  readonly #services: SecretServices;
  /** The values of a server without secrets, rendered once. */
  #plain: Readonly<Record<string, string>> | undefined;

  constructor(settings: ServerSettings, services: SecretServices) {
    this.#settings = settings;
    this.#services = services;
  }

  /** Resolves the operator's secrets. */
  readonly ofOperator: ResolveSecrets = async (names) => {
    const { kernel } = this.#services;
    await kernel.resolveSecrets(names);
    return this.#revealed(names, (name) => kernel.secret(name));
  };

  /** Returns a reader of the secrets of a call. Without one, such as for a prompt, the operator's are read. */
  ofCall(context: Pick<CallContext, 'resolveSecrets'> | undefined): ResolveSecrets {
    if (context === undefined) return this.ofOperator;
    return async (names) => {
      const found = await context.resolveSecrets(names);
      return this.#revealed(names, (name) => found.get(name));
    };
  }

  /** Returns the values. Throws MISSING_PARAMETER. */
  async render(resolve: ResolveSecrets): Promise<Readonly<Record<string, string>>> {
    const { env, headers, secrets, name } = this.#settings;
    const template = env ?? headers ?? {};
    if (secrets.length === 0) {
      this.#plain ??= renderValue(template, () => undefined) as Record<string, string>;
      return this.#plain;
    }
    const known = await resolve(secrets);
    const missing = secrets.find((secret) => !known.has(secret));
    if (missing !== undefined)
      throw new ToolkitError(
        'MISSING_PARAMETER',
        `The MCP server "${name}" needs the secret ${missing}, which no resolver has. Provide it.`,
        { server: name },
      );
    return renderValue(template, (secret) => known.get(secret)) as Record<string, string>;
  }

  #revealed(names: readonly string[], find: (name: string) => Secret | undefined): ReadonlyMap<string, string> {
    const found = names.map((name) => [name, find(name)] as const);
    return new Map(found.flatMap(([name, secret]) => (secret === undefined ? [] : [[name, this.#services.reveal(secret)]])));
  }
}
