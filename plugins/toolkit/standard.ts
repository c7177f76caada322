import path from 'node:path';
import Type, { type Static } from 'typebox';
import { type CredentialsOf, checkValue, type Plugin, sentence, ToolkitError } from '../../kernel/index.ts';
import { apiclient } from '../apiclient/index.ts';
import { approvalGate } from '../approval-gate/index.ts';
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
import { SecretResolverSchema, secretResolver } from './secret-resolver.ts';

export const StandardOptionsSchema = Type.Object(
  {
    /** Directories with your own tools. */
    toolPaths: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Directories with your own skills, beside those found with tools. */
    skillPaths: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Find installed provider packages. @default true */
    autoDiscover: Type.Optional(Type.Boolean()),
    /** Installed packages whose tools are taken although the project does not name them as dependencies. @default none */
    allowPackages: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** By the name of a package, secrets that its tools may use beside those that its provider file declares. @default none */
    secretsOf: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String({ pattern: '^\\w+$' })))),
    /** Include the core tools. @default true */
    includeCore: Type.Optional(Type.Boolean()),
    /** Directories that file tools may read and write. @default the working directory, unless it is `/` or the home folder */
    roots: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Hosts, addresses and CIDR ranges that tools may reach although they are not on the public internet. */
    allowHosts: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Settings of providers, by name: `base_url`, `headers`. */
    providers: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** Where secrets come from: `resolvers`, a list of `{ type: 'env' | 'dotenv' | 'vault' | 'aws', … }`. @default the environment */
    secretResolver: Type.Optional(SecretResolverSchema),
    /**
     * Gives each caller credentials of its own, by the name of the secret: its calls use these and nothing of the chain, or the chain where it
     * gives `'chain'`. A caller of whom it gives nothing has none. @default the chain, for all
     */
    credentialsOf: Type.Optional(Type.Unsafe<CredentialsOf>({})),
    /** Names of secrets that tools such as crypto_hmac_sign may be asked to use. @default none */
    namedSecrets: Type.Optional(Type.Array(Type.String({ pattern: '^\\w+$' }))),
    /** The human policy: `enableHITL`, `hitlMinRiskLevel`. */
    policyConfig: Type.Optional(
      Type.Object(
        { enableHITL: Type.Optional(Type.Boolean()), hitlMinRiskLevel: Type.Optional(Type.Enum(['low', 'medium', 'high'])) },
        { additionalProperties: false },
      ),
    ),
    onHITL: Type.Optional(Type.Unsafe<OnHITL>({})),
    /** Runs the programs of tools in a sandbox of the operating system, with the same roots: `true`, or options of sandbox-bwrap. Linux. @default false */
    sandbox: Type.Optional(Type.Union([Type.Boolean(), SandboxOptionsSchema])),
  },
  { additionalProperties: false },
);

export type StandardOptions = Static<typeof StandardOptionsSchema>;

/** The preset of built-in plugins: everything but the transports. List a plugin of the same name beside it to replace one. */
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
    confinePaths(roots === undefined ? {} : { roots }),
    guardCode(),
    approvalGate(),
    policyRules(),
    policyHuman({ ...policyConfig, ...(onHITL === undefined ? {} : { onHITL }) }),
    guardOutbound(allowHosts === undefined ? {} : { allowHosts }),
    // Outside of the guard.
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

/** Programs get the roots of file tools, where they have none of their own. */
function sandboxOptions(sandbox: true | SandboxOptions, roots: readonly string[] | undefined): SandboxOptions {
  return { ...(roots === undefined ? {} : { roots: [...roots] }), ...(sandbox === true ? {} : sandbox) };
}

function check(options: StandardOptions): void {
  const issues = checkValue(StandardOptionsSchema, options);
  if (issues.length === 0) return;
  throw new ToolkitError(
    'CONFIG_INVALID',
    sentence(`The options of standard() are wrong: ${issues.map(({ path: place, message }) => `${place} ${message}`).join('; ')}`),
    { issues },
  );
}
