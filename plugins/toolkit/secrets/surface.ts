import { didYouMean, type PluginFlag, ToolkitError } from '../../../kernel/index.ts';
import { parseList, parsePath } from '../../shared/flags/values.ts';
import { secretsCheckCommand } from './check-command.ts';

/** The resolvers that a chain can have. */
export const resolverTypes = ['env', 'dotenv', 'vault', 'aws'] as const;

export type ResolverType = (typeof resolverTypes)[number];

/** Flags that replace the chain of the configuration. An option of one resolver has its type in the path. */
const flags: Readonly<Record<string, PluginFlag>> = {
  resolvers: {
    flag: '--secrets <resolvers>',
    description: `comma-separated resolvers, first value wins: ${resolverTypes.join(', ')} (default: env)`,
    parse: parseList,
    complete: async () => resolverTypes,
  },
  'resolvers.dotenv.path': {
    flag: '--env-file <file>',
    description:
      'file of the resolver dotenv (default: .env). Started as "toolkit", Node reads this flag too: it ends with exit code 9 where the file is missing, and obeys NODE_OPTIONS in it',
    parse: parsePath,
  },
  'resolvers.vault.secretPath': {
    flag: '--vault-path <path>',
    description: 'KV version 2 path of the resolver vault (default: secret/data/toolkit)',
  },
  'resolvers.aws.secretId': {
    flag: '--aws-secret-id <id>',
    description: 'secret of the resolver aws (default: toolkit/credentials)',
  },
};

/** Returns the chain of the flags. Throws INVALID_PARAMETERS for an unknown resolver, and for a flag of one that is not named. */
function combineFlags({ resolvers, ...ofResolvers }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const types = (resolvers ?? []) as readonly string[];
  const known: readonly string[] = resolverTypes;
  const unknownType = types.find((type) => !known.includes(type));
  if (unknownType !== undefined)
    throw wrong(`--secrets names "${unknownType}": expected a list of ${known.join(', ')}.${didYouMean(unknownType, known)}`);
  const chain = types.map((type): Record<string, unknown> => ({ type }));
  for (const [option, value] of Object.entries(ofResolvers)) {
    const [, type, member = ''] = option.split('.');
    const entry = chain.find((one) => one['type'] === type);
    if (entry === undefined)
      throw wrong(`${flags[option]?.flag.split(' ')[0]} belongs to the resolver "${type}". Add it: --secrets env,${type}`);
    entry[member] = value;
  }
  return resolvers === undefined ? {} : { resolvers: chain };
}

function wrong(message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', message);
}

/** Command and flags of the chain. */
export const secretsSurface = { commands: [secretsCheckCommand], flagTopic: 'secrets', flags, combineFlags } as const;
