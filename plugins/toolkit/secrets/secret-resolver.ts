import Type, { type TObject } from 'typebox';
import { apiVersion, definePlugin, type Plugin } from '../../../kernel/index.ts';
import { secretsAws } from '../../secrets-aws/index.ts';
import { secretsDotenv } from '../../secrets-dotenv/index.ts';
import { secretsEnv } from '../../secrets-env/index.ts';
import { secretsVault } from '../../secrets-vault/index.ts';
import { resolverChain } from '../../shared/project/resolver-chain.ts';
import { type ResolverType, secretsSurface } from './surface.ts';

const factories = { env: secretsEnv, dotenv: secretsDotenv, vault: secretsVault, aws: secretsAws } satisfies Record<ResolverType, unknown>;

type Factories = typeof factories;

/** A resolver of the chain: its type, and the options of its plugin. */
export type ResolverEntry = { [T in keyof Factories]: { readonly type: T } & Parameters<Factories[T]>[0] }[keyof Factories];

export interface SecretResolverOptions {
  /** Resolvers in order; the first value wins. @default [{ type: 'env' }] */
  readonly resolvers?: readonly ResolverEntry[];
}

const EntrySchema = Type.Union(
  Object.entries(factories).map(([type, factory]) => {
    const { properties } = factory().optionsSchema as TObject;
    return Type.Object({ type: Type.Literal(type), ...properties }, { additionalProperties: false });
  }),
);

export const SecretResolverSchema = Type.Unsafe<SecretResolverOptions>(
  Type.Object({ resolvers: Type.Optional(Type.Array(EntrySchema)) }, { additionalProperties: false }),
);

/** Combines the resolver chain in one plugin, so that a flag can replace it as a whole. Other kinds of resolvers are plugins of their own. */
export const secretResolver = definePlugin({
  name: 'secret-resolver',
  apiVersion,
  optionsSchema: SecretResolverSchema,
  ...secretsSurface,
  checks: [
    {
      name: 'Env file',
      async run({ resolvers = [{ type: 'env' }] }, services) {
        const checks = resolvers.flatMap((entry) => pluginOf(entry).checks ?? []);
        return (await Promise.all(checks.map((check) => check.run(services)))).flat();
      },
    },
  ],
  async apply(kernel, { resolvers = [{ type: 'env' }] }) {
    kernel.extend.fact(
      resolverChain,
      resolvers.map(({ type }) => type),
    );
    for (const entry of resolvers) await pluginOf(entry).apply(kernel);
  },
});

/** Returns the plugin of a resolver of the chain. */
function pluginOf({ type, ...options }: { readonly type: string }): Plugin {
  const create = factories[type as keyof Factories] as (options: object) => Plugin;
  return create(options);
}
