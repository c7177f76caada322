import { Option } from 'commander';
import { type Command, type CommandFlag, type Overrides, type Plugin, ToolkitError } from '../../../kernel/index.ts';
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

/**
 * Returns the command with the flags of these plugins that have its topics. `listed`: names of the plugins of the configuration. Throws PLUGIN_INVALID
 * for a flag that the command or another plugin has.
 */
export function withOptionFlags(command: Command, plugins: readonly Plugin[], listed: ReadonlySet<string>): Command {
  const { topics = [], flags: ownFlags = [], flagDefaults = {} } = command;
  const owners = plugins.filter(({ flags, flagTopic = 'serve' }) => flags !== undefined && topics.includes(flagTopic));
  refuseTwice(command, owners);
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

function refuseTwice({ name, flags = [] }: Command, owners: readonly Plugin[]): void {
  const known = new Map<string, string>();
  const add = (flag: string, owner: string, plugin?: string): void => {
    const { short, long } = new Option(flag);
    for (const form of [short, long]) {
      const other = form === undefined ? undefined : known.get(form);
      if (other !== undefined)
        throw new ToolkitError('PLUGIN_INVALID', `${owner} has the flag ${form} for "toolkit ${name}", and so has ${other}. Rename one.`, {
          ...(plugin === undefined ? {} : { plugin }),
        });
      if (form !== undefined) known.set(form, owner);
    }
  };
  for (const { flag } of flags) add(flag, 'the command itself');
  for (const { name: plugin, flags: own = {} } of owners)
    for (const { flag } of Object.values(own)) add(flag, `plugin "${plugin}"`, plugin);
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
