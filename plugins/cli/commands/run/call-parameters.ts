import { type CommandInvocation, describeValue, isPlainObject, type Tool, ToolkitError } from '../../../../kernel/index.ts';
import { findJsonMistake, parseJsonObject, readJsonFile, readJsonStream } from '../../parameters/json-object.ts';
import { parseTexts } from '../../parameters/parse-text.ts';
import { type JsonType, typesOf } from '../../parameters/schema-types.ts';
import { type ParsedFlag, parseFlags, parsePair } from './parse-flags.ts';

/** Value of `--params` that means standard input. */
export const standardInput = '-';

/** The input for one parameter. */
interface ParameterInput {
  readonly flagName: string;
  readonly texts: readonly string[];
  /** True for a flag without a value that is not `--no-name`. */
  readonly hasNoValue: boolean;
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
  const findParameter = parameterFinder(tool, kebabCase);
  const pairs = (flags['param'] as readonly string[] | undefined) ?? [];
  const isSwitch = (flagName: string): boolean =>
    [...typesOfParameter(tool, findParameter(flagName) ?? flagName)].every((type) => type === 'boolean');
  const given = collectInputs([...parseFlags(words, isSwitch), ...pairs.map(parsePair)], tool, findParameter);
  const params = await readParams(flags['params'] as string | undefined, terminal.input);
  const readings = await Promise.all([...given].map(async ([name, input]) => [name, await readParameter(tool, name, input)] as const));
  const problems = readings.flatMap(([path, reading]) => ('problem' in reading ? [{ path, message: reading.problem }] : []));
  if (problems.length > 0) {
    const problemText = problems.map(({ path, message }) => `${path} ${message}`).join('; ');
    throw new ToolkitError('INVALID_PARAMETERS', `The parameters of "${tool.name}" are wrong: ${problemText}.`, {
      tool: tool.name,
      issues: problems,
    });
  }
  return Object.fromEntries([...Object.entries(params), ...readings.map(([name, reading]) => [name, 'value' in reading && reading.value])]);
}

async function readParams(params: string | undefined, input: CommandInvocation['terminal']['input']): Promise<Record<string, unknown>> {
  if (params === undefined) return {};
  if (params === standardInput) return readJsonStream('--params', input);
  // No file name begins like this.
  return /^\s*([{["]|$)/.test(params) ? parseJsonObject('--params', params) : readJsonFile('--params', params);
}

/** Returns a function that finds the parameter of a flag: the one of exactly that name, else the only one with that name in kebab-case. */
function parameterFinder(tool: Tool, kebabCase: (name: string) => string): (flagName: string) => string | undefined {
  const known = Object.keys(propertiesOf(tool));
  return (flagName) => {
    if (known.includes(flagName)) return flagName;
    const alike = known.filter((name) => kebabCase(name) === flagName);
    return alike.length === 1 ? alike[0] : undefined;
  };
}

function collectInputs(
  words: readonly ParsedFlag[],
  tool: Tool,
  findParameter: (flagName: string) => string | undefined,
): ReadonlyMap<string, ParameterInput> {
  const given = new Map<string, ParameterInput>();
  for (const { name: flagName, text } of words) {
    const positive = flagName.startsWith('no-') && findParameter(flagName) === undefined ? findParameter(flagName.slice(3)) : undefined;
    const isNegated = positive !== undefined && text === undefined && typesOfParameter(tool, positive).has('boolean');
    const name = isNegated ? positive : (findParameter(flagName) ?? flagName);
    const before = given.get(name);
    given.set(name, {
      flagName,
      texts: [...(before?.texts ?? []), ...(text === undefined ? [isNegated ? 'false' : 'true'] : [text])],
      hasNoValue: before?.hasNoValue === true || (text === undefined && !isNegated),
    });
  }
  return given;
}

async function readParameter(
  tool: Tool,
  name: string,
  { flagName, texts, hasNoValue }: ParameterInput,
): Promise<{ value: unknown } | { problem: string }> {
  const schema = schemaOf(tool, name);
  if (schema === undefined) return { value: hasNoValue ? true : texts.length === 1 ? texts[0] : texts };
  if (hasNoValue && !typesOf(schema, tool.inputSchema).has('boolean'))
    return { problem: `expected a value behind --${flagName}. One that begins with dashes is given as --${flagName}=value` };
  const reading = parseTexts(texts, schema, tool.inputSchema);
  return 'value' in reading ? reading : { problem: `expected ${reading.expected}${await describeReceived(texts)}` };
}

/** Describes the received value. Does not repeat JSON, which may hold secrets. */
async function describeReceived(texts: readonly string[]): Promise<string> {
  const [text = ''] = texts;
  if (texts.length > 1) return '';
  if (!/^\s*[[{]/.test(text)) return `, received ${describeValue(text)}`;
  const mistake = isJson(text) ? undefined : await findJsonMistake(text);
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
