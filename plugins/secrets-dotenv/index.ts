import path from 'node:path';
import Type from 'typebox';
import { apiVersion, definePlugin, messageOf } from '../../kernel/index.ts';
import { secretsFile } from '../shared/project/secrets-file.ts';
import { dotenvChecks } from './checks.ts';
import { EnvFile } from './env-file.ts';

/**
 * Resolves secrets from a `.env` file: `TOOLKIT_<NAME>` first, then `<NAME>`. The file is read when a secret is needed, and
 * again when it has changed. Its values never go into the process environment. A file over 1 MiB is refused.
 */
export const secretsDotenv = definePlugin({
  name: 'secrets-dotenv',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /**
       * The file, relative to the folder of the configuration. A file that is named here must exist; the default file may be missing.
       * @default '.env'
       */
      path: Type.Optional(Type.String({ minLength: 1 })),
      /**
       * The reaction to a file that cannot be used: `fail` fails the resolution, `skip` logs a warning and asks later resolvers.
       * @default 'fail'
       */
      onError: Type.Optional(Type.Enum(['fail', 'skip'])),
      /**
       * The variables that `${NAME}` in a value may refer to. Earlier values of the file come first. `{}` for none.
       * @default process.env
       */
      env: Type.Optional(Type.Record(Type.String(), Type.String())),
    },
    { additionalProperties: false },
  ),
  checks: dotenvChecks,
  apply(kernel, { path: configuredPath, onError = 'fail', env }) {
    const file = new EnvFile({
      path: path.resolve(kernel.cwd, configuredPath ?? '.env'),
      isRequired: configuredPath !== undefined,
      env: env ?? process.env,
      logger: kernel.logger,
    });
    kernel.extend.fact(secretsFile, file.path);
    kernel.extend.controlFiles(file.path, { what: 'secrets', read: false });
    const warnings = new Set<string>();
    const warnOnce = (message: string): void => {
      if (!warnings.has(message)) kernel.logger.warn(message);
      warnings.add(message);
    };
    kernel.hooks.resolveSecrets.tapPromise('secrets-dotenv', async (sink) => {
      if (sink.missing.length === 0) return;
      let values: ReadonlyMap<string, string>;
      try {
        values = await file.read(sink.isFresh);
      } catch (error) {
        if (onError === 'fail') throw error;
        return warnOnce(`${messageOf(error)} Going on without it.`);
      }
      for (const name of sink.missing) {
        const value = values.get(`TOOLKIT_${name}`) || values.get(name);
        if (value) sink.provide(name, value);
        const other = value ? undefined : findOtherCase(values.keys(), name);
        if (other !== undefined) warnOnce(`The secret ${name} is not in ${file.path}, but ${other} is. Write the name in the same case.`);
      }
    });
  },
});

function findOtherCase(names: Iterable<string>, secretName: string): string | undefined {
  const forms = [`TOOLKIT_${secretName}`, secretName];
  const lowerForms = forms.map((form) => form.toLowerCase());
  return [...names].find((name) => !forms.includes(name) && lowerForms.includes(name.toLowerCase()));
}
