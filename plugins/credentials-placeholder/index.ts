import Type from 'typebox';
import {
  apiVersion,
  bindCredentials,
  type CallSecrets,
  type CredentialNeed,
  type CredentialsOf,
  type DraftCall,
  definePlugin,
  excerpt,
  missingCredentials,
  revealSecret,
  type Secret,
  secretsInWords,
  type Tool,
  ToolkitError,
} from '../../kernel/index.ts';
import { loginHint } from '../shared/oauth/login-hint.ts';
import { unreadEnvFile } from '../shared/project/unread-env-file.ts';
import { namedSecrets } from './named-secrets.ts';

/** Before the plugins that read the parameters. */
const firstStage = -1000;

/**
 * Binds the credential placeholders of a tool: a value given with the call first, then the resolved secret, then a part of
 * another value (`derive_from`). Fills in parameters that say `default_from`.
 */
export const credentialsPlaceholder = definePlugin({
  name: 'credentials-placeholder',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Secrets that a caller may choose by name for a tool (`names_secret`). A caller that may name a secret may use it. @default none */
      namedSecrets: Type.Optional(Type.Array(Type.String({ pattern: '^\\w+$' }))),
      /** Returns the credentials of a caller, which replace those of the resolver chain. @default the chain, for all callers */
      credentialsOf: Type.Optional(Type.Unsafe<CredentialsOf>({})),
    },
    { additionalProperties: false },
  ),
  apply(api, { namedSecrets: allowed = [], credentialsOf }) {
    if (credentialsOf !== undefined && typeof credentialsOf !== 'function')
      throw new ToolkitError(
        'PLUGIN_INVALID',
        'The options of plugin "credentials-placeholder" are wrong: credentialsOf expected a function (caller) => credentials by name, or "chain".',
        { plugin: 'credentials-placeholder' },
      );
    if (credentialsOf !== undefined) api.extend.callerCredentials(credentialsOf);
    api.extend.parameterKey('default_from');
    api.extend.parameterKey('names_secret');
    const needsSecrets = (tool: Tool): boolean =>
      tool.credentials.length > 0 || Object.values(tool.parameters).some((parameter) => parameter.names_secret === true);
    api.hooks.injectAuth.tapPromise({ name: 'credentials-placeholder', appliesTo: needsSecrets }, async (draft, context) => {
      const needs = draft.tool.credentials;
      const named = namedSecrets(draft, allowed);
      if (needs.length === 0 && named.length === 0) return undefined;
      const own = draft.ownCredentials;
      const requested = needs.filter(({ name }) => !own.has(name)).map(({ secret }) => secret);
      const secrets = await context.resolveSecrets([...requested, ...named]);
      const credentials = bindCredentials(needs, own, (secret) => secrets.get(secret));
      const missing = async (need: CredentialNeed): Promise<ToolkitError> => {
        const fromSource = sourceError(draft, need, secrets);
        if (fromSource !== undefined) return fromSource;
        const hint = secrets.usesChain ? await unreadEnvFile(api.kernel, api.cwd, [need.secret]) : undefined;
        const login = loginHint(api.kernel, [need.secret], draft.tool.provider);
        const words = [...(hint === undefined ? [] : [hint]), ...(login === undefined ? [] : [`Or log in: ${login}.`])];
        return missingError(draft, need, secrets, words.length === 0 ? undefined : words.join(' '));
      };
      const unbound = missingCredentials(needs, credentials);
      // A value that others are derived from is reported first.
      const firstMissing = unbound.find(({ deriveFrom }) => deriveFrom === undefined) ?? unbound[0];
      if (firstMissing !== undefined) throw await missing(firstMissing);
      refuseUnlistedValues(draft, needs, credentials);
      for (const { name, isSecret, deriveFrom } of needs) {
        const value = credentials.get(name);
        if (value !== undefined && deriveFrom !== undefined && isSecret) context.maskAlso(name, revealSecret(value));
      }
      for (const name of named) {
        const handle = secrets.get(name);
        if (handle === undefined) throw await missing({ name, secret: name, required: true, isSecret: true });
        credentials.set(name, handle);
      }
      return { ...draft, credentials: new Map([...draft.credentials, ...credentials]) };
    });
    const hasDefaults = (tool: Tool): boolean => Object.values(tool.parameters).some((parameter) => parameter.default_from !== undefined);
    api.hooks.beforeExecute.tap({ name: 'defaults', stage: firstStage, appliesTo: hasDefaults }, withDefaults);
  },
});

/** Fills in the parameters that the caller did not give. Their values may be seen: the kernel refuses definitions that name a secret. */
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

/**
 * Throws for a value that is not in the `enum` of its mapping: INVALID_PARAMETERS if it came with the call, CONFIG_INVALID if
 * it came from the service.
 */
function refuseUnlistedValues(
  { tool, ownCredentials: own }: DraftCall,
  needs: readonly CredentialNeed[],
  credentials: ReadonlyMap<string, Secret>,
): void {
  for (const { name, secret, enum: values } of needs) {
    const handle = credentials.get(name);
    if (values === undefined || handle === undefined || values.includes(revealSecret(handle))) continue;
    const problem = `expected one of ${values.join(', ')}, received "${excerpt(revealSecret(handle), 50)}"`;
    if (own.has(name))
      throw new ToolkitError('INVALID_PARAMETERS', `Credential "${name}" of "${tool.name}": ${problem}.`, { tool: tool.name });
    throw new ToolkitError('CONFIG_INVALID', `${secret}, which "${tool.name}" needs, has a value that it cannot have: ${problem}.`, {
      tool: tool.name,
      secret,
    });
  }
}

/** Returns the error of a source that lacks the credential, or one that would do in its place. */
function sourceError({ tool }: DraftCall, need: CredentialNeed, secrets: CallSecrets): ToolkitError | undefined {
  const { name, secret, unless, deriveFrom, anyOf } = need;
  const isInstead = (other: CredentialNeed): boolean =>
    other.name === unless || other.name === deriveFrom?.parameter || (anyOf !== undefined && other.anyOf !== undefined);
  for (const other of [need, ...tool.credentials.filter(isInstead)]) {
    const error = secrets.missing(other.secret);
    if (error !== undefined) return error.with({ tool: tool.name, parameter: name, secret });
  }
  return undefined;
}

function missingError(
  { tool, caller, origin }: DraftCall,
  { name, secret, unless, deriveFrom, anyOf }: CredentialNeed,
  { usesChain }: CallSecrets,
  hint: string | undefined,
): ToolkitError {
  const url = tool.provider?.definition.provider.documentation_url;
  const from = url === undefined ? '' : ` See ${url} for how to get it.`;
  const other = tool.credentials.find((need) => need.name === (unless ?? deriveFrom?.parameter))?.secret;
  const instead =
    other === undefined
      ? ''
      : unless === undefined
        ? `, or a ${other} that holds it (${deriveFrom?.pattern})`
        : `, or ${other} in its place`;
  const needed = anyOf === undefined ? secret : secretsInWords(tool.credentials.filter((need) => need.anyOf !== undefined));
  const advice = usesChain
    ? `Set the environment variable ${needed}${instead}, or add it to a configured secret store${origin === 'host' ? `; your own code may give it with the call, credentials: { ${name}: … }` : ''}.`
    : `The caller "${caller}" uses nothing of the resolver chain, and was given no ${needed}: add it to the credentials of that caller${instead}.`;
  return new ToolkitError(
    'MISSING_PARAMETER',
    `Missing required parameter: ${name}. ${advice}${hint === undefined ? '' : ` ${hint}`}${from}`,
    {
      tool: tool.name,
      parameter: name,
      secret,
    },
  );
}
