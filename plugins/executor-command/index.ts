import Type from 'typebox';
import {
  apiVersion,
  type Call,
  type CallContext,
  type CallIdentity,
  definePlugin,
  type ExecutionResult,
  excerpt,
  readJson,
  ToolkitError,
  textExcess,
} from '../../kernel/index.ts';
import { parseDeclaredIdentity } from '../shared/approval/declared-identity.ts';
import { folderIdentity, namedFiles } from '../shared/bound-files/named-files.ts';
import { CodeLedger } from '../shared/pinned-code/code-ledger.ts';
import { LinkedCode } from '../shared/pinned-code/linked-code.ts';
import { findProgram } from '../shared/process/find-program.ts';
import { type ProgramResult, type RunProgram, runProgram as startProgram } from '../shared/process/program.ts';
import { withNote } from '../shared/process/with-note.ts';
import { build } from '../shared/project/build.ts';
import { decodeUtf8 } from '../shared/text/utf8.ts';
import { withReplaced } from '../shared/text/with-replaced.ts';
import { findOpenArguments } from './argument-options.ts';
import { type CommandExecution, CommandExecutionSchema, checkExecution, checkFiles, filesOf, pinnedCodeOf } from './execution.ts';
import { addGauges } from './gauges.ts';
import { type Invocation, type ProgramSettings, renderInvocation, resolveProgram, runInvocation, shownArguments } from './invocation.ts';
import {
  CommandModules,
  checkCode,
  type Identifier,
  type OutputParser,
  type Prepared,
  type Preparer,
  type ProgramRun,
  type RunAgain,
} from './modules.ts';

export type { Invocation } from './invocation.ts';
export type { Identifier, OutputParser, Prepared, Preparer, ProgramRun, RunAgain } from './modules.ts';

/** Runs `execution.type: command`: an argument list, never a shell, in a process group that ends with the call. */
export const executorCommand = definePlugin({
  name: 'executor-command',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Limit of standard output, and of standard error, in bytes. @default 10485760 */
      maxOutputBytes: Type.Optional(Type.Integer({ minimum: 1 })),
      /** Runs the programs of tools, such as in a container or, for tests, not at all. @default as a process of this machine */
      runProgram: Type.Optional(Type.Unsafe<RunProgram>({})),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { maxOutputBytes = 10 * 1024 * 1024, runProgram: given = startProgram }) {
    const command = kernel.extend.execution('command', {
      schema: CommandExecutionSchema,
      check: checkExecution,
      checkFiles,
      checkCode: async (execution, origin, tool) => {
        const checked = await checkCode(execution, origin);
        return { ...checked, issues: [...checked.issues, ...findOpenArguments(execution, tool)] };
      },
      files: filesOf,
      pinned: (execution, origin, reads) => pinnedCodeOf(execution, origin, kernel.cwd, reads),
      identify,
      exactIntegers: ({ parse }) => ({ takes: true, gives: parse === 'json' }),
      fingerprint: build,
    });
    kernel.extend.parameterKey('options');
    const runProgram = addGauges(kernel, given);
    const modules = new CommandModules();
    const linked = new LinkedCode(new CodeLedger(kernel.cwd));
    const settings: Settings = {
      programs: { maxOutputBytes, runProgram, launcher: kernel.extend.launcher() },
      baseDirectory: kernel.cwd,
      modules,
      linked,
    };
    function identify(call: Call, context: CallContext): Promise<CallIdentity> {
      return identityOf(command.of(call.tool), call, context, settings);
    }
    kernel.hooks.discover.tap('executor-command', ({ isCodeStale }) => {
      if (isCodeStale) modules.forget();
    });
    kernel.hooks.execute
      .for('command')
      .tapPromise('executor-command', (call, context) => execute(command.of(call.tool), call, context, settings));
  },
});

interface Settings {
  readonly programs: ProgramSettings;
  /** The default folder of a program. A relative `cwd` starts there. */
  readonly baseDirectory: string;
  readonly modules: CommandModules;
  readonly linked: LinkedCode;
}

async function execute(
  execution: CommandExecution,
  call: Call,
  context: CallContext,
  { programs, baseDirectory, modules, linked }: Settings,
): Promise<ExecutionResult> {
  linked.refuseChanged(call);
  const { prepare, success_codes: successCodes = [0] } = execution;
  const { tool, parameters } = call;
  const approved = call.identity === undefined ? {} : { identity: call.identity };
  await modules.loadApproved(execution, call);
  const original = renderInvocation(execution, call, baseDirectory);
  const makeRunAgain = (invocation: Invocation, onRun?: OnRun): RunAgain =>
    makeRunner(execution, call, context, invocation, programs, onRun);
  const runs = new WeakMap<ProgramRun, ProgramResult>();
  const rememberRun: OnRun = (run, result) => runs.set(run, result);
  const { ran, ...changed } =
    prepare === undefined
      ? ({} as Prepared)
      : await modules.call<Preparer>('prepare', prepare, tool, context.mask, [
          original,
          {
            parameters,
            ...approved,
            run: makeRunAgain(original, rememberRun),
            controlFiles: context.controlFiles,
            output: context.output,
            addressesOf: context.addressesOf,
          },
        ]);
  const invocation = { ...original, ...changed };
  if (prepare !== undefined) linked.refuseChanged(call);
  // Only a run that really took place counts.
  const previousRun = ran === undefined ? undefined : runs.get(ran);
  const run = previousRun ?? (await runInvocation(execution, call.tool, invocation, context, programs));
  const { exitCode } = run;
  if (exitCode === undefined || !successCodes.includes(exitCode)) throw exitError(context, execution, run);
  const stdout = decodeUtf8(run.stdout, { keepsMark: isModule(execution.parse) });
  let { replaced } = stdout;
  const parserRun = makeRunAgain(invocation, (_run, _result, count) => {
    replaced += count;
  });
  const programOutput = { ...run, text: stdout.text, args: invocation.args };
  const output = await parseOutput(execution.parse, call, context, programOutput, exitCode, parserRun, modules);
  const meta = { exitCode, durationMs: Math.round(run.durationMs) };
  return withNote(withReplaced({ output, meta }, replaced), run.note);
}

/**
 * Returns the identity of a call: the program file, the folder that the definition names, the modules, and the result of the
 * `identify` module.
 */
async function identityOf(
  execution: CommandExecution,
  call: Call,
  context: CallContext,
  { programs, baseDirectory, modules, linked }: Settings,
): Promise<CallIdentity> {
  // Approving a call must not approve code that no person has seen.
  linked.refuseChanged(call);
  const { tool, parameters } = call;
  const invocation = renderInvocation(execution, call, baseDirectory);
  const run = makeRunner(execution, call, context, invocation, programs);
  const { addressesOf, controlFiles, output } = context;
  const surroundings = { parameters, run, addressesOf, controlFiles, output };
  const returned =
    execution.identify === undefined
      ? undefined
      : await modules.call<Identifier>('identify', execution.identify, tool, context.mask, [invocation, surroundings]);
  const code = await modules.identify(execution, tool);
  const args = shownArguments(execution, call);
  const { files, ...identity } = returned === undefined ? {} : parseDeclaredIdentity(returned, tool);
  return {
    ...identity,
    program: { ...(await findProgram(resolveProgram(execution, tool), invocation)), ...(args === undefined ? {} : { args }) },
    ...(execution.cwd === undefined ? {} : { folder: await folderIdentity(invocation.cwd) }),
    ...(code === undefined ? {} : { code }),
    files: { ...(await findNamedByProgram(execution, invocation, context)), ...files },
  };
}

/** Finds the files named by the arguments, the input and the environment variables of the definition. */
function findNamedByProgram(
  { env = {} }: CommandExecution,
  { args, cwd, env: rendered, stdin }: Invocation,
  { controlFiles, signal }: CallContext,
): ReturnType<typeof namedFiles> {
  const texts = [...Object.keys(env).map((name) => rendered[name] ?? ''), stdin ?? ''];
  return namedFiles({ args, texts, cwd, controlFiles, signal });
}

/** Called with a run that a module made, and the number of its bytes that were not UTF-8. */
type OnRun = (run: ProgramRun, result: ProgramResult, replaced: number) => void;

function makeRunner(
  execution: CommandExecution,
  call: Call,
  context: CallContext,
  invocation: Invocation,
  programs: ProgramSettings,
  onRun: OnRun = () => {},
): RunAgain {
  return async (args, options = {}) => {
    const { stdin: _stdin, ...rest } = invocation;
    const run = await runInvocation(
      execution,
      call.tool,
      { ...rest, ...options, env: { ...rest.env, ...options.env }, args },
      context,
      programs,
    );
    if (run.exitCode === undefined) throw exitError(context, execution, run);
    // With its byte order mark: a module may compare the text with a hash.
    const stdout = decodeUtf8(run.stdout, { keepsMark: true });
    const ended: ProgramRun = { stdout: stdout.text, stderr: decodeUtf8(run.stderr).text, exitCode: run.exitCode };
    onRun(ended, run, stdout.replaced);
    return ended;
  };
}

function isModule(parser: CommandExecution['parse'] = 'text'): boolean {
  return parser !== 'text' && parser !== 'lines' && parser !== 'json';
}

async function parseOutput(
  parser: CommandExecution['parse'] = 'text',
  { tool, parameters, identity }: Call,
  { mask, controlFiles, origin, output }: CallContext,
  { stdout: bytes, stderr, text: stdout, args }: ProgramResult & { readonly text: string; readonly args: readonly string[] },
  exitCode: number,
  run: RunAgain,
  modules: CommandModules,
): Promise<unknown> {
  if (parser === 'text') return stdout;
  if (parser === 'lines') return stdout === '' ? [] : stdout.replace(/\r?\n$/, '').split(/\r?\n/);
  if (isModule(parser))
    return modules.call<OutputParser>('parse', parser, tool, mask, [
      stdout,
      {
        parameters,
        ...(identity === undefined ? {} : { identity }),
        args,
        exitCode,
        stderr: decodeUtf8(stderr).text,
        run,
        controlFiles,
        output,
      },
    ]);
  const excess = origin === 'model' ? textExcess(bytes) : undefined;
  if (excess !== undefined) {
    const message = `The output of the program of "${tool.name}" was not read: its JSON holds ${excess}. Ask for less (a filter, a smaller page).`;
    throw new ToolkitError('OUTPUT_TOO_LARGE', message, { carriedOut: true });
  }
  try {
    return readJson(stdout);
  } catch (error) {
    throw new ToolkitError(
      'OUTPUT_INVALID',
      `The program of "${tool.name}" should print JSON, but printed: ${excerpt(mask(stdout), 100)}`,
      {},
      { cause: error },
    );
  }
}

function exitError({ tool, mask }: CallContext, execution: CommandExecution, run: ProgramResult): ToolkitError {
  const end = run.exitCode === undefined ? `was ended by ${run.signal ?? 'a signal'}` : `exited with code ${run.exitCode}`;
  const stderr = excerpt(mask(decodeUtf8(run.stderr).text.trim() || decodeUtf8(run.stdout).text.trim()));
  const note = run.note === undefined ? '' : ` (${run.note})`;
  return new ToolkitError(
    'EXECUTION_FAILED',
    `"${execution.command}" of tool "${tool.name}" ${end}${stderr === '' ? ' and printed nothing' : `: ${stderr}`}${note}`,
    {
      ...(run.exitCode === undefined ? {} : { exitCode: run.exitCode }),
      stderr,
    },
  );
}
