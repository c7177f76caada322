import Type from 'typebox';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { keyVariables } from '../shared/keys/key-variables.ts';
import { isExporterVariable } from '../shared/telemetry/exporter-variables.ts';

/** Keys and tokens of this program itself. No tool gets them, not even a tool with a secret named KEY. */
const ownVariables: readonly string[] = [...Object.values(keyVariables), 'TOOLKIT_MCP_TOKEN'];

/**
 * Resolves secrets from environment variables: `TOOLKIT_<NAME>` first, then `<NAME>`. The variables of this program itself are
 * excluded.
 */
export const secretsEnv = definePlugin({
  name: 'secrets-env',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** The environment variables. @default process.env */
      env: Type.Optional(Type.Record(Type.String(), Type.String())),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { env }) {
    kernel.hooks.resolveSecrets.tap('secrets-env', (sink) => {
      const variables: Readonly<Record<string, string | undefined>> = env ?? process.env;
      for (const name of sink.missing) {
        const value = valueIn(variables, `TOOLKIT_${name}`) || valueIn(variables, name);
        if (value) sink.provide(name, value);
      }
    });
  },
});

function valueIn(variables: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const isOwn = ownVariables.includes(name) || isExporterVariable(name);
  return Object.hasOwn(variables, name) && !isOwn ? variables[name] : undefined;
}
