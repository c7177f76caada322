import path from 'node:path';
import Type, { type Static } from 'typebox';
import { type CredentialsOf, checkValue, type Plugin, sentence, ToolkitError } from '../../kernel/index.ts';
import { accounts } from '../accounts/index.ts';
import { apiclient } from '../apiclient/index.ts';
import { approvalGate } from '../approval-gate/index.ts';
import { approvals } from '../approvals/index.ts';
import { cacheResults } from '../cache-results/index.ts';
import { callsLong } from '../calls-long/index.ts';
import { callsOnce } from '../calls-once/index.ts';
import { confinePaths } from '../confine-paths/index.ts';
import { credentialsPlaceholder } from '../credentials-placeholder/index.ts';
import { executorCommand } from '../executor-command/index.ts';
import { executorFunction } from '../executor-function/index.ts';
import { executorHttp } from '../executor-http/index.ts';
import { guardCode } from '../guard-code/index.ts';
import { guardOutbound } from '../guard-outbound/index.ts';
import { limitCircuit } from '../limit-circuit/index.ts';
import { limitRate } from '../limit-rate/index.ts';
import { lockFile } from '../lock-file/index.ts';
import { outputBudget } from '../output-budget/index.ts';
import { type OnHITL, policyHuman } from '../policy-human/index.ts';
import { policyRules } from '../policy-rules/index.ts';
import { providerSettings } from '../provider-settings/index.ts';
import { type SandboxOptions, SandboxOptionsSchema, sandboxBwrap } from '../sandbox-bwrap/index.ts';
import { codeRoot } from '../shared/project/layout.ts';
import { skillFiles } from '../skill-files/index.ts';
import { toolFiles } from '../tool-files/index.ts';
import { toolPackages } from '../tool-packages/index.ts';
import { validateOutput } from '../validate-output/index.ts';
import { coreTools } from './core-tools.ts';
import { SecretResolverSchema, secretResolver } from './secrets/secret-resolver.ts';

export const StandardOptionsSchema = Type.Object(
  {
    /** Directories with your own tools. */
    toolPaths: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Directories with your own skills, in addition to those in tool directories. */
    skillPaths: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Finds installed provider packages. @default true */
    autoDiscover: Type.Optional(Type.Boolean()),
    /** Installed packages whose tools are loaded although they are no dependencies of the project. @default none */
    allowPackages: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Secrets that a package's tools may use, by package name, in addition to those of its provider file. @default none */
    secretsOf: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String({ pattern: '^\\w+$' })))),
    /** Includes the core tools. @default true */
    includeCore: Type.Optional(Type.Boolean()),
    /** Directories that file tools may read and write. @default the working directory, unless it is `/` or the home folder */
    roots: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Hosts, addresses and CIDR ranges outside of the public internet that tools may reach. */
    allowHosts: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Settings of providers by name: `base_url`, `headers`. */
    providers: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** Sources of secrets: `resolvers`, a list of `{ type: 'env' | 'dotenv' | 'vault' | 'aws', … }`. @default the environment */
    secretResolver: Type.Optional(SecretResolverSchema),
    /**
     * Returns the credentials of a caller, by secret name. Calls of that caller use these and nothing of the chain. It may return `'chain'` to use the
     * chain. A caller for which it returns nothing has no credentials. @default the chain, for all callers
     */
    credentialsOf: Type.Optional(Type.Unsafe<CredentialsOf>({})),
    /** Names of secrets that callers may name to tools such as crypto_hmac_sign. @default none */
    namedSecrets: Type.Optional(Type.Array(Type.String({ pattern: '^\\w+$' }))),
    /** Options of the human policy: `enableHITL`, `hitlMinRiskLevel`. */
    policyConfig: Type.Optional(
      Type.Object(
        { enableHITL: Type.Optional(Type.Boolean()), hitlMinRiskLevel: Type.Optional(Type.Enum(['low', 'medium', 'high'])) },
        { additionalProperties: false },
      ),
    ),
    onHITL: Type.Optional(Type.Unsafe<OnHITL>({})),
    /** Runs the programs of tools in a sandbox of the operating system, with the same roots: `true`, or options of sandbox-bwrap. Linux only. @default false */
    sandbox: Type.Optional(Type.Union([Type.Boolean(), SandboxOptionsSchema])),
  },
  { additionalProperties: false },
);

export type StandardOptions = Static<typeof StandardOptionsSchema>;

/** Returns the preset of built-in plugins: all but the transports. To replace one, list a plugin with the same name after it. */
export function standard(options: StandardOptions = {}): readonly Plugin[] {
  if (Object.keys(options).length > 0) check(options);
  const { toolPaths, skillPaths, autoDiscover = true, includeCore = true, roots, allowHosts, providers, policyConfig, onHITL } = options;
  const { secretResolver: chain, credentialsOf, namedSecrets, allowPackages, secretsOf, sandbox = false } = options;
  return [
    ...(includeCore ? [coreTools({ directory: path.join(codeRoot(), 'tools', 'core') })] : []),
    toolFiles(toolPaths === undefined ? {} : { toolPaths }),
    skillFiles(skillPaths === undefined ? {} : { skillPaths }),
    ...(autoDiscover
      ? [
          toolPackages({
            ...(allowPackages === undefined ? {} : { allowPackages }),
            ...(secretsOf === undefined ? {} : { secretsOf }),
          }),
        ]
      : []),
    providerSettings(providers === undefined ? {} : { providers: providers as Record<string, never> }),
    secretResolver(chain ?? {}),
    credentialsPlaceholder({
      ...(namedSecrets === undefined ? {} : { namedSecrets }),
      ...(credentialsOf === undefined ? {} : { credentialsOf }),
    }),
    accounts(),
    confinePaths(roots === undefined ? {} : { roots }),
    guardCode(),
    approvalGate(),
    approvals(),
    lockFile(),
    policyRules(),
    policyHuman({ ...policyConfig, ...(onHITL === undefined ? {} : { onHITL }) }),
    guardOutbound(allowHosts === undefined ? {} : { allowHosts }),
    // After guardOutbound, so that its wrapper of fetch is the outer one.
    limitCircuit(),
    callsLong(),
    cacheResults(),
    limitRate(),
    callsOnce(),
    executorHttp(),
    executorCommand(),
    executorFunction(),
    apiclient(),
    ...(sandbox === false ? [] : [sandboxBwrap(sandboxOptions(sandbox, roots))]),
    validateOutput(),
    outputBudget(),
  ].map((plugin) => ({ ...plugin, from: 'standard()' }));
}

/** Programs get the roots of the file tools, unless they have their own. */
function sandboxOptions(sandbox: true | SandboxOptions, roots: readonly string[] | undefined): SandboxOptions {
  return { ...(roots === undefined ? {} : { roots: [...roots] }), ...(sandbox === true ? {} : sandbox) };
}

function check(options: StandardOptions): void {
  const issues = checkValue(StandardOptionsSchema, options);
  if (issues.length === 0) return;
  throw new ToolkitError(
    'CONFIG_INVALID',
    sentence(`The options of standard() are wrong: ${issues.map(({ path: field, message }) => `${field} ${message}`).join('; ')}`),
    { issues },
  );
}
