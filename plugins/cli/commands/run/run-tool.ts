import {
  type AdaptableOptions,
  type CallOutput,
  type CommandInvocation,
  excerpt,
  type Kernel,
  sentence,
  type Tool,
  ToolkitError,
} from '../../../../kernel/index.ts';
import { emptySource } from '../../../shared/flags/empty-source.ts';
import type { Output } from '../../../shared/terminal/output.ts';
import { resultText } from '../../../shared/terminal/result-text.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import { askAtTerminal } from './ask-at-terminal.ts';
import { askCredentials } from './ask-credentials.ts';
import { callParameters, standardInput } from './call-parameters.ts';
import { onceNote, withOnce } from './once.ts';
import { type ProgressLine, progressLine } from './progress-line.ts';
import { toolHelp } from './tool-help.ts';

/** `toolkit run`: calls one tool and prints its result. */
export async function runTool(invocation: CommandInvocation): Promise<void> {
  const {
    arguments: [name = '', ...words],
    flags,
    env,
    createKernel,
    terminal,
    write,
    note,
  } = invocation;
  if (name === '' || name.startsWith('-'))
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      'The name of the tool comes first: toolkit run <tool> [parameters]. "toolkit list" shows the tools.',
    );
  const progress = await progressLine(terminal, env);
  const isOnce = flags['once'] !== undefined;
  const kernel = await createKernel({}, (options) => withClearLine(isOnce ? withOnce(options) : options, progress));
  try {
    const tool = toolNamed(name, kernel);
    if (words.includes('--help') || words.at(-1) === '-h') return write(await toolHelp(tool, terminal, invocation.flagNames('run')));
    const parameters = await callParameters(tool, invocation);
    const result = await call(kernel, tool, parameters, invocation, progress);
    progress.clear();
    write(await resultText(result, terminal, flags['output'] as Output | undefined));
    if (terminal.isTerminal) for (const line of hiddenContentNotes(result)) note(line);
    const onceText = onceNote(result.meta);
    if (onceText !== undefined) note(`${onceText}\n`);
    // The output contains the error, but programs need the exit code.
    if (result.error !== undefined) throw result.error;
  } catch (error) {
    progress.clear();
    throw ToolkitError.is(error) ? withAdvice(error, name, invocation) : error;
  } finally {
    await kernel.close();
  }
}

/** Returns a tool. For one that is not there because its source has none, the error says why. */
function toolNamed(name: string, { registry, sources }: Kernel): Tool {
  try {
    return registry.get(name);
  } catch (error) {
    const why = ToolkitError.is(error) && error.code === 'TOOL_NOT_FOUND' ? emptySource(name, sources) : undefined;
    if (why === undefined) throw error;
    throw new ToolkitError('TOOL_NOT_FOUND', `There is no tool "${excerpt(name, 100)}". ${why}`, { tool: name }, { cause: error });
  }
}

async function call(
  kernel: Kernel,
  tool: Tool,
  parameters: Readonly<Record<string, unknown>>,
  invocation: CommandInvocation,
  progress: ProgressLine,
): Promise<CallOutput> {
  const { terminal, interrupted, flags } = invocation;
  const { once } = flags as { readonly once?: string };
  const stop = createStop(interrupted(), tool.name);
  const hasPerson = canAsk(invocation);
  const credentials = hasPerson ? await askCredentials(kernel, tool, parameters, terminal, stop.signal) : {};
  const elicit = askAtTerminal(terminal, () => progress.clear(), stop);
  return kernel.call({
    tool: tool.name,
    parameters,
    credentials,
    signal: stop.signal,
    onProgress: (step) => progress.show(step),
    ...(once === undefined ? {} : { once }),
    ...(hasPerson ? { client: { elicit } } : {}),
  });
}

/** Creates the controller that stops the call on an interrupt, with a reason for the user. */
function createStop(interrupted: AbortSignal, tool: string): AbortController {
  const stop = new AbortController();
  const reason = new ToolkitError('ABORTED', `"${tool}" was stopped before its end. What it had done by then stays done.`, { tool });
  if (interrupted.aborted) stop.abort(reason);
  else interrupted.addEventListener('abort', () => stop.abort(reason), { once: true });
  return stop;
}

/** Clears the progress line before each line of the log. */
function withClearLine(options: AdaptableOptions, progress: ProgressLine): AdaptableOptions {
  const { logger } = options;
  if (logger === undefined) return options;
  const after =
    (level: keyof typeof logger): typeof logger.info =>
    (message, meta) => {
      progress.clear();
      logger[level](message, meta);
    };
  return { ...options, logger: { error: after('error'), warn: after('warn'), info: after('info'), debug: after('debug') } };
}

/** Adds a hint for the command line to an error of the call. Errors thrown by the tool itself stay unchanged. */
function withAdvice(error: ToolkitError, tool: string, invocation: CommandInvocation): ToolkitError {
  const { code, message, details } = error;
  if (details.tool !== tool || details.hook !== undefined) return error;
  const say = (advice: string): ToolkitError => new ToolkitError(code, `${sentence(message)} ${advice}`, details, { cause: error });
  if (code === 'INVALID_PARAMETERS') return say(`"toolkit run ${tool} --help" shows what it takes.`);
  if (code === 'APPROVAL_REQUIRED' && !canAsk(invocation)) return say('Run it in a terminal, where a person can be asked.');
  return error;
}

/** True when a user can be asked: `--params -` has read standard input to its end. */
function canAsk({ flags, terminal }: CommandInvocation): boolean {
  return terminal.isInteractive && flags['params'] !== standardInput;
}

/** Returns notes about content that a terminal cannot show, such as an image. */
function hiddenContentNotes({ content = [] }: CallOutput): readonly string[] {
  return content.flatMap((part) => {
    if (part.type !== 'image' && part.type !== 'audio') return [];
    return [
      `The result comes with ${part.type === 'image' ? 'an image' : 'a sound'} (${terminalText(part.mimeType)}), which a terminal cannot show.\n`,
    ];
  });
}
