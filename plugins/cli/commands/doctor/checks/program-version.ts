import { excerpt, messageOf, ToolkitError } from '../../../../../kernel/index.ts';
import { minimalEnvironment, runProgram } from '../../../../shared/process/program.ts';
import { decodeUtf8 } from '../../../../shared/text/utf8.ts';

export type ProgramVersion =
  | { readonly type: 'found'; readonly version: string }
  | { readonly type: 'missing' }
  /** The program starts but does not behave as expected; `message` says how. */
  | { readonly type: 'broken'; readonly message: string };

export interface VersionQuestion {
  readonly program: string;
  readonly args: readonly string[];
  /** Matches the output; the first group is the version. */
  readonly pattern: RegExp;
}

export interface VersionLimits {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Time limit for the program, in milliseconds. */
  readonly limitMs: number;
  /** Working directory of the program. @default that of this process */
  readonly cwd?: string;
}

/** Runs a program to read its version. Kills it and all processes that it started when the time limit passes. */
export async function programVersion({ program, args, pattern }: VersionQuestion, limits: VersionLimits): Promise<ProgramVersion> {
  const { env, limitMs, cwd } = limits;
  const signal = AbortSignal.timeout(limitMs);
  const place = cwd === undefined ? {} : { cwd };
  const options = { ...place, env: minimalEnvironment(env), signal, maxOutputBytes: 10_000, killAfterMs: 200 };
  try {
    const { stdout, stderr, exitCode } = await runProgram(program, args, options);
    // Some programs print it on standard error.
    const said = `${decodeUtf8(stdout).text} ${decodeUtf8(stderr).text}`.trim();
    const version = pattern.exec(said)?.[1];
    if (exitCode === 0 && version !== undefined) return { type: 'found', version };
    const end = exitCode === 0 ? 'does not say its version' : `ends with ${exitCode ?? 'a signal'}`;
    return { type: 'broken', message: `${end} and prints ${said === '' ? 'nothing' : `"${excerpt(said, 80)}"`}` };
  } catch (error) {
    if (signal.aborted) return { type: 'broken', message: `does not answer in ${limitMs / 1000} seconds` };
    if (ToolkitError.is(error) && error.code === 'DEPENDENCY_MISSING') return { type: 'missing' };
    return { type: 'broken', message: `cannot be started: ${excerpt(messageOf(error))}` };
  }
}
