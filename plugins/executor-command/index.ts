import path from 'node:path';
import Type from 'typebox';
import {
  apiVersion,
  asText,
  type Call,
  type CallContext,
  definePlugin,
  type ExecutionResult,
  excerpt,
  type Lookup,
  messageOf,
  minimalEnvironment,
  type ProgramResult,
  placeholdersIn,
  refuseValue,
  renderText,
  renderValue,
  revealSecret,
  runProgram,
  ToolkitError,
} from '../../kernel/index.ts';
import { importFunction, resolveCode } from '../shared/code-module.ts';
import { type CommandExecution, CommandExecutionSchema, checkExecution } from './execution.ts';

/** What a `parse` module exports: turns the standard output of a successful run into the tool's output. */
export type OutputParser = (
  stdout: string,
  run: { readonly parameters: Readonly<Record<string, unknown>>; readonly exitCode: number; readonly stderr: string },
) => unknown;

/** Runs `execution.type: command`: an argument list, never a shell, in a process group that ends with the call. */
export const executorCommand = definePlugin({
  name: 'executor-command',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Largest standard output, and largest standard error, in bytes. @default 10485760 */
      maxOutputBytes: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { maxOutputBytes = 10 * 1024 * 1024 }) {
    kernel.extend.execution('command', { schema: CommandExecutionSchema, check: checkExecution });
    kernel.hooks.execute
      .for('command')
      .tapPromise('executor-command', (call, context) => execute(call, context, { maxOutputBytes, baseDirectory: kernel.cwd }));
  },
});

interface Settings {
  readonly maxOutputBytes: number;
  /** Where a program runs that is not told otherwise, and where a relative `cwd` starts. */
  readonly baseDirectory: string;
}

async function execute(call: Call, context: CallContext, { maxOutputBytes, baseDirectory }: Settings): Promise<ExecutionResult> {
  const execution = call.tool.execution as unknown as CommandExecution;
  const directory = call.tool.origin.directory;
  const lookup: Lookup = (name) => {
    const secret = call.credentials.get(name);
    return secret === undefined ? call.parameters[name] : revealSecret(secret);
  };
  const program =
    execution.command.startsWith('.') && directory !== undefined ? path.resolve(directory, execution.command) : execution.command;
  const cwd = execution.cwd === undefined ? undefined : renderText(execution.cwd, lookup);
  const stdin = execution.stdin === undefined ? undefined : renderText(execution.stdin, lookup);
  const run = await runProgram(program, argumentsOf(execution.args ?? [], lookup), {
    cwd: path.resolve(baseDirectory, cwd ?? '.'),
    ...(stdin === undefined ? {} : { stdin }),
    env: { ...minimalEnvironment(), ...environmentOf(execution.env ?? {}, lookup) },
    signal: context.signal,
    maxOutputBytes,
  });
  if (run.truncated) {
    throw new ToolkitError(
      'OUTPUT_TOO_LARGE',
      `"${execution.command}" of tool "${call.tool.name}" wrote more than ${maxOutputBytes} bytes and was stopped. Ask for less, or raise maxOutputBytes.`,
      { maxBytes: maxOutputBytes },
    );
  }
  const { exitCode } = run;
  if (exitCode === undefined || !(execution.success_codes ?? [0]).includes(exitCode)) throw exitError(context, execution, run);
  return { output: await parse(call, execution, run, exitCode, context.mask), meta: { exitCode, durationMs: Math.round(run.durationMs) } };
}

function environmentOf(env: NonNullable<CommandExecution['env']>, lookup: Lookup): Record<string, string> {
  const rendered = renderValue(env, lookup) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(rendered).map(([name, value]) => [name, asText(value)]));
}

/** Every element is one argument; a placeholder that was given a list becomes several. */
function argumentsOf(args: NonNullable<CommandExecution['args']>, lookup: Lookup): string[] {
  return args.flatMap((argument) => {
    const group = [argument].flat();
    const isGiven = placeholdersIn(group).every((name) => lookup(name) !== undefined);
    return isGiven ? group.flatMap((template) => textsOf(template, lookup)) : [];
  });
}

function textsOf(template: string, lookup: Lookup): string[] {
  const value = renderValue(template, lookup);
  const texts = (Array.isArray(value) ? value : [value]).map(asText);
  if (!texts.some((text) => text.includes('\0'))) return texts;
  const names = placeholdersIn(template);
  const culprit = names.find((name) => [lookup(name)].flat().some((item) => typeof item === 'string' && item.includes('\0')));
  return refuseValue(culprit ?? names[0] ?? template, 'a value without null bytes, because it is a program argument');
}

async function parse(
  { tool, parameters }: Call,
  { parse: how = 'text' }: CommandExecution,
  run: ProgramResult,
  exitCode: number,
  mask: CallContext['mask'],
): Promise<unknown> {
  const stdout = run.stdout.toString('utf8');
  if (how === 'text') return stdout;
  if (how === 'lines') return stdout === '' ? [] : stdout.replace(/\r?\n$/, '').split(/\r?\n/);
  if (how === 'json') {
    try {
      return JSON.parse(stdout) as unknown;
    } catch (error) {
      throw new ToolkitError(
        'OUTPUT_INVALID',
        `The program of "${tool.name}" should print JSON, but printed: ${excerpt(mask(stdout), 100)}`,
        {},
        { cause: error },
      );
    }
  }
  const reference = resolveCode(how, tool.origin.directory ?? '.');
  if (reference === undefined) throw new ToolkitError('TOOL_INVALID', `The output parser "${how}" of "${tool.name}" is gone.`);
  const parser = await importFunction<OutputParser>(reference, ['default', 'parse']);
  try {
    return await parser(stdout, { parameters, exitCode, stderr: run.stderr.toString('utf8') });
  } catch (error) {
    if (ToolkitError.is(error)) throw error;
    throw new ToolkitError(
      'OUTPUT_INVALID',
      `The output parser "${how}" of "${tool.name}" failed: ${excerpt(mask(messageOf(error)))}. Correct the parser, or what the program prints.`,
      {},
      { cause: error },
    );
  }
}

function exitError({ tool, mask }: CallContext, execution: CommandExecution, run: ProgramResult): ToolkitError {
  const end = run.exitCode === undefined ? `was ended by ${run.signal ?? 'a signal'}` : `exited with code ${run.exitCode}`;
  const stderr = excerpt(mask(run.stderr.toString('utf8').trim() || run.stdout.toString('utf8').trim()));
  return new ToolkitError(
    'EXECUTION_FAILED',
    `"${execution.command}" of tool "${tool.name}" ${end}${stderr === '' ? ' and said nothing' : `: ${stderr}`}`,
    {
      ...(run.exitCode === undefined ? {} : { exitCode: run.exitCode }),
      stderr,
    },
  );
}
