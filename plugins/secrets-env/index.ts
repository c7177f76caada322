import Type from 'typebox';
import { apiVersion, definePlugin } from '../../kernel/index.ts';

/** Secrets from environment variables: `TOOLKIT_<NAME>` first, then `<NAME>`. */
export const secretsEnv = definePlugin({
  name: 'secrets-env',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** The variables. @default process.env */
      env: Type.Optional(Type.Record(Type.String(), Type.String())),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { env }) {
    kernel.hooks.resolveSecrets.tap('secrets-env', (sink) => {
      const variables: Readonly<Record<string, string | undefined>> = env ?? process.env;
      for (const name of sink.missing) {
        const value = own(variables, `TOOLKIT_${name}`) || own(variables, name);
        if (value) sink.provide(name, value);
      }
    });
  },
});

function own(variables: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}
