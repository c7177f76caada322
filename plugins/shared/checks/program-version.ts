import { excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { minimalEnvironment, runProgram } from '../process/program.ts';
import { decodeUtf8 } from '../text/utf8.ts';

export type ProgramVersion =
  | { readonly type: 'found'; readonly version: string }
  | { readonly type: 'missing' }
  /** The program starts but does not behave as expected; `message` says how. */
  | { readonly type: 'broken'; readonly message: string };

export interface VersionCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Matches the output; the first group is the version. */
  readonly pattern: RegExp;
}

export interface VersionOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Time limit for the program, in milliseconds. */
  readonly timeoutMs: number;
  /** Working directory of the program. @default that of this process */
  readonly cwd?: string;
}

/** Runs a program to read its version. Kills it and all processes that it started when the time limit passes. */
export async function readProgramVersion({ program, args, pattern }: VersionCommand, limits: VersionOptions): Promise<ProgramVersion> {
  const { env, timeoutMs, cwd } = limits;
  const signal = AbortSignal.timeout(timeoutMs);
  const cwdOption = cwd === undefined ? {} : { cwd };
  const options = { ...cwdOption, env: minimalEnvironment(env), signal, maxOutputBytes: 10_000, killAfterMs: 200 };
  try {
    const { stdout, stderr, exitCode } = await runProgram(program, args, options);
    // Some programs print it on standard error.
    const output = `${decodeUtf8(stdout).text} ${decodeUtf8(stderr).text}`.trim();
    const version = pattern.exec(output)?.[1];
    if (exitCode === 0 && version !== undefined) return { type: 'found', version };
    const ending = exitCode === 0 ? 'does not say its version' : `ends with ${exitCode ?? 'a signal'}`;
    return { type: 'broken', message: `${ending} and prints ${output === '' ? 'nothing' : `"${excerpt(output, 80)}"`}` };
  } catch (error) {
    if (signal.aborted) return { type: 'broken', message: `does not answer in ${timeoutMs / 1000} seconds` };
    if (ToolkitError.is(error) && error.code === 'DEPENDENCY_MISSING') return { type: 'missing' };
    return { type: 'broken', message: `cannot be started: ${excerpt(messageOf(error))}` };
  }
}
