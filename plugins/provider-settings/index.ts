import Type from 'typebox';
import { apiVersion, definePlugin, OAuth2Schema } from '../../kernel/index.ts';

/** Lets the operator replace `base_url`, `headers` and `oauth2` of a provider, for example for a self-hosted installation of the service. */
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
              /** Members of the provider's `oauth2`, each in place of the definition's, such as the addresses of another authorization server. */
              oauth2: Type.Optional(Type.Partial(OAuth2Schema, { additionalProperties: false })),
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
