import { excerpt, messageOf, ToolkitError } from '../../../../../kernel/index.ts';
import { minimalEnvironment, runProgram } from '../../../../shared/process/program.ts';
import { decodeUtf8 } from '../../../../shared/text/utf8.ts';

export type ProgramVersion =
  | { readonly type: 'found'; readonly version: string }
  | { readonly type: 'missing' }
  /** It is there, but what it does is not what such a program does; `message` says what. */
  | { readonly type: 'broken'; readonly message: string };

export interface VersionQuestion {
  readonly program: string;
  readonly args: readonly string[];
  /** Its first group is the version. */
  readonly pattern: RegExp;
}

export interface VersionLimits {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long the program may take, in milliseconds. */
  readonly limitMs: number;
  /** Where it runs. @default the working directory */
  readonly cwd?: string;
}

/** Asks a program for its version. One that does not answer in time is ended, with everything that it started. */
export async function programVersion({ program, args, pattern }: VersionQuestion, limits: VersionLimits): Promise<ProgramVersion> {
  const { env, limitMs, cwd } = limits;
  const signal = AbortSignal.timeout(limitMs);
  const place = cwd === undefined ? {} : { cwd };
  const options = { ...place, env: minimalEnvironment(env), signal, maxOutputBytes: 10_000, killAfterMs: 200 };
  try {
    const { stdout, stderr, exitCode } = await runProgram(program, args, options);
    // Some print it on standard error.
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
