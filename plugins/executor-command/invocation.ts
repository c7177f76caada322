import path from 'node:path';
import {
  asText,
  type Call,
  type CallContext,
  exactLookup,
  type Launcher,
  type Lookup,
  placeholdersIn,
  refuseValue,
  renderText,
  renderValue,
  revealSecret,
  type Tool,
  ToolkitError,
} from '../../kernel/index.ts';
import { minimalEnvironment, type ProgramResult, type RunProgram } from '../shared/process/program.ts';
import { endsOptions } from '../shared/process/program-options.ts';
import { toolLaunch } from '../shared/process/tool-launch.ts';
import { refuseOptions } from './argument-options.ts';
import type { CommandExecution } from './execution.ts';

/** The arguments, environment, folder and input of a program. */
export interface Invocation {
  readonly args: readonly string[];
  /** The complete environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** An absolute path. */
  readonly cwd: string;
  readonly stdin?: string;
}

/**
 * Returns the invocation of a call, with every placeholder filled in. Throws INVALID_PARAMETERS for a value that would be an
 * option of the program.
 */
export function renderInvocation(execution: CommandExecution, call: Call, baseDirectory: string): Invocation {
  const parameter = exactLookup(call.tool, (name) => call.parameters[name]);
  const lookup: Lookup = (name) => {
    const secret = call.credentials.get(name);
    return secret === undefined ? parameter(name) : revealSecret(secret);
  };
  const cwd = execution.cwd === undefined ? undefined : renderText(execution.cwd, lookup);
  const stdin = execution.stdin === undefined ? undefined : renderText(execution.stdin, lookup);
  return {
    args: argumentsOf(execution.args ?? [], lookup, (template) => refuseOptions(template, execution.command, call)),
    env: { ...minimalEnvironment(), ...environmentOf(execution.env ?? {}, lookup) },
    cwd: path.resolve(baseDirectory, cwd ?? '.'),
    ...(stdin === undefined ? {} : { stdin }),
  };
}

/** Maximum size of shown arguments in all, in characters: a person has the parameters whole beside them. */
const maxShownCharacters = 20_000;

/**
 * Returns the arguments for a person who decides about the call, with the names of credentials in place of their values. Undefined when they are not
 * known before the run, or too long.
 */
export function shownArguments(execution: CommandExecution, call: Call): readonly string[] | undefined {
  if (execution.prepare !== undefined || execution.args === undefined) return undefined;
  const parameter = exactLookup(call.tool, (name) => call.parameters[name]);
  const lookup: Lookup = (name) => (call.credentials.has(name) ? `{${name}}` : parameter(name));
  const args = argumentsOf(execution.args, lookup, () => {});
  return args.reduce((sum, { length }) => sum + length, 0) > maxShownCharacters ? undefined : args;
}

/** Returns the program to start: resolved against the folder of the definition when it begins with `.`. */
export function resolveProgram({ command }: CommandExecution, { origin: { directory } }: Tool): string {
  return command.startsWith('.') && directory !== undefined ? path.resolve(directory, command) : command;
}

/** Settings for the programs of one kernel. */
export interface ProgramSettings {
  readonly maxOutputBytes: number;
  readonly runProgram: RunProgram;
  /** Returns the launcher of this kernel; undefined where no plugin has set one. */
  readonly launcher: () => Launcher | undefined;
}

/** Runs the program of a call to its end. Throws OUTPUT_TOO_LARGE when it prints more than `maxOutputBytes`. */
export async function runInvocation(
  execution: CommandExecution,
  tool: Tool,
  invocation: Invocation,
  context: CallContext,
  { maxOutputBytes, runProgram, launcher }: ProgramSettings,
): Promise<ProgramResult> {
  const { args, ...options } = invocation;
  const traceparent = context.span?.traceparentFor('workers');
  const program = resolveProgram(execution, tool);
  const launch = toolLaunch(launcher(), execution, context, execution.command.startsWith('.') ? [program] : []);
  const run = await runProgram(program, args, {
    ...options,
    // The name is that of the specification: https://opentelemetry.io/docs/specs/otel/context/env-carriers/.
    env: { ...(traceparent === undefined ? {} : { TRACEPARENT: traceparent }), ...options.env },
    signal: context.signal,
    maxOutputBytes,
    ...(launch === undefined ? {} : { launch }),
  });
  if (!run.truncated) return run;
  throw new ToolkitError(
    'OUTPUT_TOO_LARGE',
    `"${execution.command}" of tool "${tool.name}" wrote more than ${maxOutputBytes} bytes and was stopped. Ask for less, or raise maxOutputBytes.`,
    { maxBytes: maxOutputBytes },
  );
}

function environmentOf(env: NonNullable<CommandExecution['env']>, lookup: Lookup): Record<string, string> {
  const rendered = renderValue(env, lookup) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(rendered).map(([name, value]) => [name, asText(value)]));
}

/**
 * Renders the arguments. Every element is one argument; a placeholder with a list value becomes several. `check` gets each
 * template that is passed and has no `--` before it.
 */
function argumentsOf(args: NonNullable<CommandExecution['args']>, lookup: Lookup, check: (template: string) => void): string[] {
  let isPastOptions = false;
  return args.flatMap((argument) => {
    const group = [argument].flat();
    const isGiven = placeholdersIn(group).every((name) => lookup(name) !== undefined);
    if (!isGiven) return [];
    return group.flatMap((template) => {
      if (!isPastOptions) check(template);
      isPastOptions ||= endsOptions(template);
      return renderArgument(template, lookup);
    });
  });
}

function renderArgument(template: string, lookup: Lookup): string[] {
  const value = renderValue(template, lookup);
  const texts = (Array.isArray(value) ? value : [value]).map(asText);
  if (!texts.some((text) => text.includes('\0'))) return texts;
  const names = placeholdersIn(template);
  const invalidName = names.find((name) => [lookup(name)].flat().some((item) => typeof item === 'string' && item.includes('\0')));
  return refuseValue(invalidName ?? names[0] ?? template, 'a value without null bytes, because it is a program argument');
}
