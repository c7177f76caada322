import { type CommandFlag, didYouMean, ToolkitError } from '../../../../kernel/index.ts';
import { parseList, parsePath } from '../values.ts';

export const resolverTypes: readonly string[] = ['env', 'dotenv', 'vault', 'aws'];

/** Flags that replace the configured secret resolvers. */
export const secretsFlags: readonly CommandFlag[] = [
  {
    flag: '--secrets <resolvers>',
    description: 'comma-separated resolvers, first value wins: env, dotenv, vault, aws (default: env)',
    parse: parseList,
    complete: async () => resolverTypes,
  },
  {
    flag: '--env-file <file>',
    description:
      'file of the resolver dotenv (default: .env). Started as "toolkit", Node reads this flag too: it ends with exit code 9 where the file is missing, and obeys NODE_OPTIONS in it',
    parse: parsePath,
  },
  { flag: '--vault-path <path>', description: 'KV version 2 path of the resolver vault (default: secret/data/toolkit)' },
  { flag: '--aws-secret-id <id>', description: 'secret of the resolver aws (default: toolkit/credentials)' },
];

/** Returns the options that these flags override in the configuration. Throws INVALID_PARAMETERS. */
export function resolverOptions(flags: Readonly<Record<string, unknown>>): Record<string, Readonly<Record<string, unknown>>> {
  const resolvers = resolversOf(flags);
  return resolvers === undefined ? {} : { 'secret-resolver': { resolvers } };
}

/** Flags of single resolvers, with the option that each one sets. */
const resolverFlags = [
  { flag: 'envFile', written: '--env-file', type: 'dotenv', option: 'path' },
  { flag: 'vaultPath', written: '--vault-path', type: 'vault', option: 'secretPath' },
  { flag: 'awsSecretId', written: '--aws-secret-id', type: 'aws', option: 'secretId' },
];

/** Returns the resolver chain of the flags; undefined without any. Throws INVALID_PARAMETERS. */
export function resolversOf(flags: Readonly<Record<string, unknown>>): Record<string, unknown>[] | undefined {
  const types = (flags['secrets'] as readonly string[] | undefined) ?? [];
  const unknownType = types.find((type) => !resolverTypes.includes(type));
  if (unknownType !== undefined)
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `--secrets names "${unknownType}": expected a list of ${resolverTypes.join(', ')}.${didYouMean(unknownType, resolverTypes)}`,
    );
  const unusedFlag = resolverFlags.find(({ flag, type }) => flags[flag] !== undefined && !types.includes(type));
  if (unusedFlag !== undefined)
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `${unusedFlag.written} belongs to the resolver "${unusedFlag.type}". Add it: --secrets env,${unusedFlag.type}`,
    );
  if (flags['secrets'] === undefined) return undefined;
  return types.map((type) => ({
    type,
    ...Object.fromEntries(
      resolverFlags.filter((own) => own.type === type && flags[own.flag] !== undefined).map(({ flag, option }) => [option, flags[flag]]),
    ),
  }));
}
