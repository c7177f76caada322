import { apiVersion, definePlugin, type Secret, type Tool, ToolkitError } from '../../kernel/index.ts';

/** Binds the credential placeholders of a tool: the value given with the call first, then the resolved secret. */
export const credentialsPlaceholder = definePlugin({
  name: 'credentials-placeholder',
  apiVersion,
  apply(api) {
    api.hooks.injectAuth.tapPromise('credentials-placeholder', async (draft) => {
      const needs = draft.tool.credentials;
      if (needs.length === 0) return undefined;
      const asked = needs.filter(({ name }) => !draft.ownCredentials.has(name));
      await api.kernel.resolveSecrets(asked.map(({ secret }) => secret));
      const credentials = new Map<string, Secret>(draft.credentials);
      for (const { name, secret, required } of needs) {
        const handle = draft.ownCredentials.get(name) ?? api.kernel.secret(secret);
        if (handle !== undefined) credentials.set(name, handle);
        else if (required) throw missing(draft.tool, name, secret);
      }
      return { ...draft, credentials };
    });
  },
});

function missing(tool: Tool, name: string, secret: string): ToolkitError {
  const url = tool.provider?.definition.provider.documentation_url;
  const from = url === undefined ? '' : ` See ${url} for how to get it.`;
  return new ToolkitError(
    'MISSING_PARAMETER',
    `Missing required parameter: ${name}. Set the environment variable ${secret}, or add it to a configured secret store.${from}`,
    {
      tool: tool.name,
      parameter: name,
      secret,
    },
  );
}
