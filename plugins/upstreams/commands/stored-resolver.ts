import { apiVersion, definePlugin, type Plugin, type Secret } from '../../../kernel/index.ts';
import type { ListedPlugin } from '../../shared/configuration/option-edit.ts';
import { writeOption } from '../../shared/configuration/write-option.ts';
import type { Reveal } from './contact-server.ts';

const dotenvPlugin: ListedPlugin = {
  modules: ['toolkit/plugins/secrets-dotenv', '@toolkit/core/plugins/secrets-dotenv'],
  factory: 'secretsDotenv',
};

/** Secrets that a command has just written into `.env`, for the servers that it contacts. */
export class StoredResolver {
  /** Names that no plugin of the configuration could resolve. */
  readonly unresolved = new Set<string>();
  readonly #secrets: ReadonlyMap<string, Secret>;
  readonly #reveal: Reveal;

  constructor(secrets: ReadonlyMap<string, Secret>, reveal: Reveal) {
    this.#secrets = secrets;
    this.#reveal = reveal;
  }

  /** Returns the plugin that resolves what the plugins before it leave missing. */
  plugin(): Plugin {
    return definePlugin({
      name: 'upstreams-stored-secrets',
      apiVersion,
      apply: (kernel) => {
        kernel.hooks.resolveSecrets.tapPromise('upstreams-stored-secrets', async (sink) => {
          for (const name of [...sink.missing]) {
            const secret = this.#secrets.get(name);
            if (secret === undefined) continue;
            this.unresolved.add(name);
            sink.provide(name, this.#reveal(secret));
          }
        });
      },
    })();
  }

  /** Adds the plugin that reads `.env` to the configuration, when a secret needs it. Returns a line for a person, empty when none does. */
  async configure(configFile: string | undefined, folder: string): Promise<string> {
    if (this.unresolved.size === 0) return '';
    const names = [...this.unresolved].join(', ');
    const edit = { plugin: dotenvPlugin, path: ['onError'], value: 'fail' };
    const { file, lines } = await writeOption(configFile, folder, edit);
    if (lines === undefined) return `Added secrets-dotenv to ${file}: it reads ${names} from .env.\n`;
    return `The configuration reads no .env, which has ${names}. Add to "plugins" in ${file}:\n${lines.join('\n')}\n`;
  }
}
