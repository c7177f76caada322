import { type CommandInvocation, describeValue, isPlainObject, type Tool, ToolkitError } from '../../../../kernel/index.ts';
import { firstMistake, jsonObject, jsonObjectIn, jsonObjectOf } from '../../parameters/json-object.ts';
import { type JsonType, typesOf } from '../../parameters/schema-types.ts';
import { valueOfTexts } from '../../parameters/value-of-text.ts';
import { type WrittenFlag, writtenFlags, writtenPair } from './written-flags.ts';

/** Value of `--params` that means standard input. */
export const standardInput = '-';

/** The input for one parameter. */
interface ParameterInput {
  readonly written: string;
  readonly texts: readonly string[];
  /** True for a flag without a value that is not `--no-name`. */
  readonly isAlone: boolean;
}

/**
 * Returns the parameters of the call: those of `--params`, overridden by single flags. Throws INVALID_PARAMETERS with every value that does
 * not fit the type of its parameter. The kernel checks everything else.
 */
export async function callParameters(
  tool: Tool,
  { arguments: [, ...words], flags, terminal }: Pick<CommandInvocation, 'arguments' | 'flags' | 'terminal'>,
): Promise<Readonly<Record<string, unknown>>> {
  const { kebabCase } = await import('change-case');
  const names = namesOf(tool, kebabCase);
  const pairs = (flags['param'] as readonly string[] | undefined) ?? [];
  const isSwitch = (written: string): boolean => [...typesOfParameter(tool, names(written) ?? written)].every((type) => type === 'boolean');
  const given = collected([...writtenFlags(words, isSwitch), ...pairs.map(writtenPair)], tool, names);
  const whole = await wholeOf(flags['params'] as string | undefined, terminal.input);
  const readings = await Promise.all([...given].map(async ([name, one]) => [name, await read(tool, name, one)] as const));
  const problems = readings.flatMap(([path, reading]) => ('problem' in reading ? [{ path, message: reading.problem }] : []));
  if (problems.length > 0) {
    const told = problems.map(({ path, message }) => `${path} ${message}`).join('; ');
    throw new ToolkitError('INVALID_PARAMETERS', `The parameters of "${tool.name}" are wrong: ${told}.`, {
      tool: tool.name,
      issues: problems,
    });
  }
  return Object.fromEntries([...Object.entries(whole), ...readings.map(([name, reading]) => [name, 'value' in reading && reading.value])]);
}

async function wholeOf(params: string | undefined, input: CommandInvocation['terminal']['input']): Promise<Record<string, unknown>> {
  if (params === undefined) return {};
  if (params === standardInput) return jsonObjectOf('--params', input);
  // No file name begins like this.
  return /^\s*([{["]|$)/.test(params) ? jsonObject('--params', params) : jsonObjectIn('--params', params);
}

/** Returns a function that finds the parameter of a flag: the one of exactly that name, else the only one with that name in kebab-case. */
function namesOf(tool: Tool, kebabCase: (name: string) => string): (written: string) => string | undefined {
  const known = Object.keys(propertiesOf(tool));
  return (written) => {
    if (known.includes(written)) return written;
    const alike = known.filter((name) => kebabCase(name) === written);
    return alike.length === 1 ? alike[0] : undefined;
  };
}

function collected(
  words: readonly WrittenFlag[],
  tool: Tool,
  names: (written: string) => string | undefined,
): ReadonlyMap<string, ParameterInput> {
  const given = new Map<string, ParameterInput>();
  for (const { name: written, text } of words) {
    const positive = written.startsWith('no-') && names(written) === undefined ? names(written.slice(3)) : undefined;
    const isNegated = positive !== undefined && text === undefined && typesOfParameter(tool, positive).has('boolean');
    const name = isNegated ? positive : (names(written) ?? written);
    const before = given.get(name);
    given.set(name, {
      written,
      texts: [...(before?.texts ?? []), ...(text === undefined ? [isNegated ? 'false' : 'true'] : [text])],
      isAlone: before?.isAlone === true || (text === undefined && !isNegated),
    });
  }
  return given;
}

async function read(
  tool: Tool,
  name: string,
  { written, texts, isAlone }: ParameterInput,
): Promise<{ value: unknown } | { problem: string }> {
  const schema = schemaOf(tool, name);
  if (schema === undefined) return { value: isAlone ? true : texts.length === 1 ? texts[0] : texts };
  if (isAlone && !typesOf(schema, tool.inputSchema).has('boolean'))
    return { problem: `expected a value behind --${written}. One that begins with dashes is given as --${written}=value` };
  const reading = valueOfTexts(texts, schema, tool.inputSchema);
  return 'value' in reading ? reading : { problem: `expected ${reading.expected}${await received(texts)}` };
}

/** Describes the received value. Does not repeat JSON, which may hold secrets. */
async function received(texts: readonly string[]): Promise<string> {
  const [text = ''] = texts;
  if (texts.length > 1) return '';
  if (!/^\s*[[{]/.test(text)) return `, received ${describeValue(text)}`;
  const mistake = isJson(text) ? undefined : await firstMistake(text);
  return `, received ${text.length} characters of JSON${mistake === undefined ? '' : ` with a mistake in ${mistake}`}`;
}

function isJson(text: string): boolean {
  try {
    // No number: is it JSON?
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function typesOfParameter(tool: Tool, name: string): ReadonlySet<JsonType> {
  return typesOf(schemaOf(tool, name), tool.inputSchema);
}

function schemaOf(tool: Tool, name: string): unknown {
  const properties = propertiesOf(tool);
  if (Object.hasOwn(properties, name)) return properties[name];
  const { additionalProperties } = tool.inputSchema;
  return isPlainObject(additionalProperties) ? additionalProperties : undefined;
}

function propertiesOf({ inputSchema: { properties } }: Tool): Readonly<Record<string, unknown>> {
  return isPlainObject(properties) ? properties : {};
}
