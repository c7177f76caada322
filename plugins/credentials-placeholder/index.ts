import Type from 'typebox';
import {
  apiVersion,
  bindCredentials,
  type CredentialNeed,
  type DraftCall,
  definePlugin,
  missingCredentials,
  revealSecret,
  type Tool,
  ToolkitError,
} from '../../kernel/index.ts';
import { namedSecrets } from './named-secrets.ts';

/** Before the plugins that look at the parameters. */
const first = -1000;

/**
 * Binds the credential placeholders of a tool: the value given with the call first, then the resolved secret, then what another value
 * holds (`derive_from`). Fills in parameters that say `default_from`.
 */
export const credentialsPlaceholder = definePlugin({
  name: 'credentials-placeholder',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Secrets that a caller may have a tool use by name (`names_secret`). Whoever may name one may use it. @default none */
      namedSecrets: Type.Optional(Type.Array(Type.String({ pattern: '^\\w+$' }))),
    },
    { additionalProperties: false },
  ),
  apply(api, { namedSecrets: allowed = [] }) {
    api.extend.parameterKey('default_from');
    api.extend.parameterKey('names_secret');
    const needsSecrets = (tool: Tool): boolean =>
      tool.credentials.length > 0 || Object.values(tool.parameters).some((parameter) => parameter.names_secret === true);
    api.hooks.injectAuth.tapPromise({ name: 'credentials-placeholder', appliesTo: needsSecrets }, async (draft, context) => {
      const needs = draft.tool.credentials;
      const named = namedSecrets(draft, allowed);
      if (needs.length === 0 && named.length === 0) return undefined;
      const own = draft.ownCredentials;
      const asked = needs.filter(({ name }) => !own.has(name)).map(({ secret }) => secret);
      await api.kernel.resolveSecrets([...asked, ...named]);
      const credentials = bindCredentials(needs, own, (secret) => api.kernel.secret(secret));
      const lacking = missingCredentials(needs, credentials);
      // What holds another value is missed before that value.
      const missed = lacking.find(({ deriveFrom }) => deriveFrom === undefined) ?? lacking[0];
      if (missed !== undefined) throw missing(draft.tool, missed, needs);
      for (const { name, isSecret, deriveFrom } of needs) {
        const value = credentials.get(name);
        if (value !== undefined && deriveFrom !== undefined && isSecret) context.maskAlso(name, revealSecret(value));
      }
      for (const name of named) {
        const handle = api.kernel.secret(name);
        if (handle === undefined) throw missing(draft.tool, { name, secret: name, required: true, isSecret: true }, needs);
        credentials.set(name, handle);
      }
      return { ...draft, credentials: new Map([...draft.credentials, ...credentials]) };
    });
    const hasDefaults = (tool: Tool): boolean => Object.values(tool.parameters).some((parameter) => parameter.default_from !== undefined);
    api.hooks.beforeExecute.tap({ name: 'defaults', stage: first, appliesTo: hasDefaults }, withDefaults);
  },
});

/** The parameters that the caller left to the service. Their values may be seen: the kernel refuses definitions that name a secret. */
function withDefaults(draft: DraftCall): DraftCall | undefined {
  const { tool, parameters, credentials, ownCredentials: own } = draft;
  const isGiven = (name: string): boolean => parameters[name] !== undefined;
  const filled = Object.entries(tool.parameters).flatMap(([name, { default_from: from }]) => {
    // A default of the service belongs to the account of the service.
    const isOfOwnAccount = own.size === 0 || (from !== undefined && own.has(from.parameter));
    const value = from === undefined || !isOfOwnAccount ? undefined : credentials.get(from.parameter);
    if (value === undefined || isGiven(name) || (from?.unless !== undefined && isGiven(from.unless))) return [];
    return [[name, revealSecret(value)] as const];
  });
  return filled.length === 0 ? undefined : { ...draft, parameters: { ...parameters, ...Object.fromEntries(filled) } };
}

function missing(tool: Tool, { name, secret, unless, deriveFrom }: CredentialNeed, needs: readonly CredentialNeed[]): ToolkitError {
  const url = tool.provider?.definition.provider.documentation_url;
  const from = url === undefined ? '' : ` See ${url} for how to get it.`;
  const other = needs.find((need) => need.name === (unless ?? deriveFrom?.parameter))?.secret;
  const instead =
    other === undefined
      ? ''
      : unless === undefined
        ? `, or a ${other} that holds it (${deriveFrom?.pattern})`
        : `, or ${other} in its place`;
  return new ToolkitError(
    'MISSING_PARAMETER',
    `Missing required parameter: ${name}. Set the environment variable ${secret}${instead}, or add it to a configured secret store.${from}`,
    {
      tool: tool.name,
      parameter: name,
      secret,
    },
  );
}
