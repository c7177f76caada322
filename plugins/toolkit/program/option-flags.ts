import { Option } from 'commander';
import type { Command, CommandFlag, Overrides, Plugin } from '../../../kernel/index.ts';
import { parseList, parseOneOf, parseWhole } from '../../shared/flags/values.ts';

type Values = Readonly<Record<string, unknown>>;

/** The parts of an option's schema that say how a flag is read. */
interface OptionSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

/** Returns the command with the flags of these plugins that have its topics. `listed`: names of the plugins of the configuration. */
export function withOptionFlags(command: Command, plugins: readonly Plugin[], listed: ReadonlySet<string>): Command {
  const { topics = [], flags: ownFlags = [], flagDefaults = {} } = command;
  const owners = plugins.filter(({ flags, flagTopic = 'serve' }) => flags !== undefined && topics.includes(flagTopic));
  const overridesOf = (flags: Values, own: Overrides): Overrides => {
    const overrides = { ...own };
    for (const { name, options, flags: pluginFlags = {}, combineFlags = (values: Values) => values } of owners) {
      const values = Object.entries(pluginFlags).map(([option, { flag }]) => [option, flags[attributeOf(flag)]] as const);
      const given = values.filter(([, value]) => value !== undefined);
      // A flag of a plugin that is not listed is refused where the kernel is made.
      if (given.length > 0 || listed.has(name))
        overrides[name] = { ...overrides[name], ...combineFlags(Object.fromEntries(given), options) };
    }
    return overrides;
  };
  return {
    ...command,
    flags: [...ownFlags, ...owners.flatMap((plugin) => flagsOf(plugin, flagDefaults))],
    run: (invocation) => {
      const flags = { ...flagDefaults, ...invocation.flags };
      return command.run({
        ...invocation,
        flags,
        createKernel: (own = {}, adapt) =>
          invocation.createKernel(() => overridesOf(flags, typeof own === 'function' ? own() : own), adapt),
      });
    },
  };
}

/** Returns the name by which commander knows a flag: `tokensFile` for `--tokens-file`. */
function attributeOf(flag: string): string {
  return new Option(flag).attributeName();
}

function flagsOf({ flags = {}, optionsSchema }: Plugin, flagDefaults: Values): CommandFlag[] {
  const { properties = {} } = (optionsSchema ?? {}) as { readonly properties?: Readonly<Record<string, OptionSchema>> };
  return Object.entries(flags).map(([option, { description, ...flag }]) => {
    const schema = properties[option] ?? {};
    const byDefault = flagDefaults[attributeOf(flag.flag)] ?? schema.default;
    return { description: byDefault === undefined ? description : `${description} (default: ${byDefault})`, ...readerOf(schema), ...flag };
  });
}

/** Returns how a text becomes a value of this schema, and the completion of such a text. */
function readerOf({ type, enum: words, minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: OptionSchema): Partial<CommandFlag> {
  if (words !== undefined) return { parse: parseOneOf(words), complete: async () => words };
  if (type === 'integer') return { parse: parseWhole(minimum, maximum) };
  return type === 'array' ? { parse: parseList } : {};
}
