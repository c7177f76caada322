import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { minimalEnvironment, type ProgramResult, runProgram } from '../../../../plugins/shared/process/program.ts';
import { decodeUtf8 } from '../../../../plugins/shared/text/utf8.ts';

interface CandidatesRequest {
  /** Confined folder. */
  readonly folder: string;
  /** Pattern that `candidatePattern` returned. */
  readonly pattern: string;
  /** ripgrep globs for files that need not be searched. */
  readonly globs: readonly string[];
}

/** Maximum size of the list of names, in bytes. */
const maxOutputBytes = 64 * 1024 * 1024;

/** Address space of the program, in KiB. ripgrep reads a line at once, and a file without line ends is one line. */
const maxMemoryKb = 1_048_576;

/** Sets limits. Ignores a limit that the system refuses because it has none, or because a lower one applies. */
const script = 'ulimit -c 0; (ulimit -v "$1") 2>/dev/null && ulimit -v "$1"; shift; exec "$@"';

/**
 * Searches the raw bytes of every file, also hidden, ignored and binary ones; follows no links and reads no configuration. The
 * reader of candidates drops files that must not be read.
 */
const flags = [
  ...['--no-config', '--files-with-matches', '--null', '--no-ignore', '--hidden', '--no-follow'],
  ...['--text', '--no-unicode', '--encoding', 'none', '--no-mmap', '--path-separator', '/', '--color', 'never'],
];

/**
 * Lists, with ripgrep, the files below a folder in which a pattern may match, and those that it could not read: relative paths
 * with `/` between names. Returns undefined when ripgrep is not installed, cannot run, or prints something unexpected; every
 * file is then a candidate. Throws the reason of the signal when it aborts.
 */
export async function listCandidates(
  { folder, pattern, globs }: CandidatesRequest,
  { signal, launch, logger }: Pick<FunctionContext, 'signal' | 'launch' | 'logger'>,
): Promise<readonly string[] | undefined> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    const [program, ...rest] = limited(rgPath, ripgrepArguments(pattern, globs));
    const result = await runProgram(program, rest, {
      cwd: folder,
      env: minimalEnvironment(),
      signal,
      maxOutputBytes,
      ...(launch === undefined ? {} : { launch }),
    });
    const names = namesIn(result);
    if (names === undefined)
      logger.debug('ripgrep named no candidates', { exitCode: result.exitCode ?? null, signal: result.signal ?? null });
    return names;
  } catch (error) {
    signal.throwIfAborted();
    logger.debug('ripgrep could not be run, every file is searched', { error: String(error) });
    return undefined;
  }
}

/** Returns the arguments that list the files below the working directory in which a pattern of bytes matches. */
export function ripgrepArguments(pattern: string, globs: readonly string[]): readonly string[] {
  return [...flags, ...globs.flatMap((glob) => ['--glob', glob]), '--regexp', pattern, '--', './'];
}

function limited(program: string, args: readonly string[]): readonly [string, ...string[]] {
  if (process.platform === 'win32') return [program, ...args];
  // Without -p a shell drops the effective user when it differs from the real one.
  const keepsRights = process.geteuid?.() === process.getuid?.() ? [] : ['-p'];
  return ['/bin/sh', ...keepsRights, '-c', script, 'sh', String(maxMemoryKb), program, ...args];
}

/** Returns the listed names. Exit code 0: some match, 1: none, 2: something could not be read, or the pattern is refused. */
function namesIn({ exitCode = -1, stdout, stderr, truncated }: ProgramResult): readonly string[] | undefined {
  if (truncated || exitCode < 0 || exitCode > 2) return undefined;
  const unread = unreadNames(decodeUtf8(stderr).text);
  if (unread === undefined || (exitCode === 2 && unread.length === 0)) return undefined;
  const named = decodeUtf8(stdout).text.split('\0').slice(0, -1);
  return [...named, ...unread].map((name) => name.replace(/^\.\//, ''));
}

/** Returns the names in lines such as `rg: ./a.txt: Permission denied (os error 13)`; undefined when a line has another form. */
function unreadNames(messages: string): readonly string[] | undefined {
  const lines = messages.split('\n').filter((line) => line !== '');
  const names = lines.map((line) => /^rg: (\.\/.*): [^:]+ \(os error \d+\)$/.exec(line)?.[1]);
  return names.every((name) => name !== undefined) ? names : undefined;
}
