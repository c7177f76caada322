import Type from 'typebox';
import { apiVersion, definePlugin } from '../../kernel/index.ts';

/** Lets the operator replace `base_url` and `headers` of a provider, for example for a self-hosted installation of the service. */
export const providerSettings = definePlugin({
  name: 'provider-settings',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Replacements, by provider name. */
      providers: Type.Optional(
        Type.Record(
          Type.String(),
          Type.Object(
            {
              base_url: Type.Optional(Type.String({ pattern: '^https?://' })),
              headers: Type.Optional(Type.Record(Type.String(), Type.String())),
            },
            { additionalProperties: false },
          ),
        ),
      ),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { providers = {} }) {
    kernel.hooks.discover.tap('provider-settings', (sink) => {
      for (const [name, settings] of Object.entries(providers)) sink.overrideProvider(name, settings);
    });
  },
});
