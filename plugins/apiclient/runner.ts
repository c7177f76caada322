import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { excerpt } from '../../kernel/index.ts';
import { minimalEnvironment, type ProgramResult, runProgram } from '../shared/process/program.ts';
import { codeRoot } from '../shared/project/layout.ts';
import { readText } from '../shared/text/read-text.ts';
import { decodeUtf8 } from '../shared/text/utf8.ts';
import { answerQuestions, type Guard, noRequestsGuard } from './guard.ts';
import { operationError } from './operation-error.ts';

/** Minimum version of the runner for a feature. */
export interface MinimumVersion {
  /** The feature, such as `parameter "tags"`. */
  readonly feature: string;
  readonly version: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly guard: Guard;
  /** Called with each line that the runner prints. */
  readonly onLine?: (line: string) => void;
}

/** A program and its first arguments, before those of the runner. */
interface LaunchCommand {
  readonly file: string;
  readonly args: readonly string[];
}

interface RunnerProgram {
  /** JavaScript file of the runner; undefined when another program starts it. */
  readonly entry: string | undefined;
  readonly run: LaunchCommand;
  /** Command that prints the version. The runner reads its version from the script that Node was started with. */
  readonly version: LaunchCommand;
}

const install =
  'Install it with "npm install -g @usebruno/cli" and make sure that it is on the PATH, or name it in the option "command" of the plugin apiclient';

/** Maximum size of the runner's output, in bytes. The report is a file. */
export const maxOutputBytes = 10 * 1024 * 1024;

/** The API client's command line: finds it, reads its version, and starts it. */
export class Runner {
  readonly #command: string;
  readonly #env: readonly string[];
  readonly #versions = new Map<string, string>();
  /** Programs that have contacted the guard. */
  readonly #guarded = new Set<string>();

  constructor(command: string, env: readonly string[]) {
    this.#command = command;
    this.#env = env;
  }

  /** Runs it to its end; a nonzero exit is a result. Throws DEPENDENCY_MISSING when it is missing, or older than needed. */
  async run(args: readonly string[], needs: readonly MinimumVersion[], options: RunOptions): Promise<ProgramResult> {
    const program = await this.#findProgram();
    await this.#expectVersion(program, needs, options.signal);
    await this.#expectGuarded(program, options.signal);
    return this.#start(program, program.run, args, options);
  }

  /** Returns the version of the installed runner, cached for each program. */
  async version(signal: AbortSignal): Promise<string> {
    return this.#versionOf(await this.#findProgram(), signal);
  }

  async #findProgram(): Promise<RunnerProgram> {
    const { default: which } = await import('which');
    const found = await which(this.#command, { nothrow: true });
    if (found === null) throw operationError(`The runner "${this.#command}" was not found. ${install}.`, 'DEPENDENCY_MISSING');
    const file = await realpath(found);
    // Node itself scans all arguments of a script for --env-file and the like; it ignores those after "--".
    const node = (...args: readonly string[]): LaunchCommand => ({
      file: process.execPath,
      args: ['--require', modulePath('guard.cjs'), '--', ...args],
    });
    if (/\.[cm]?js$/.test(file)) return { entry: file, run: node(modulePath('launcher.cjs'), file), version: node(file) };
    return { entry: undefined, run: { file, args: [] }, version: { file, args: [] } };
  }

  /** Throws for a program that does not contact the guard before it sends requests. Programs started with Node do. */
  async #expectGuarded(program: RunnerProgram, signal: AbortSignal): Promise<void> {
    if (program.entry !== undefined) return;
    await this.#versionOf(program, signal);
    if (this.#guarded.has(program.run.file)) return;
    throw operationError(
      `The runner "${this.#command}" cannot be kept from private addresses: expected a program that Node runs. Name its JavaScript file, such as .../@usebruno/cli/bin/bru.js, in the option "command" of the plugin apiclient.`,
      'DEPENDENCY_MISSING',
    );
  }

  async #expectVersion(program: RunnerProgram, needs: readonly MinimumVersion[], signal: AbortSignal): Promise<void> {
    if (needs.length === 0) return;
    const version = await this.#versionOf(program, signal);
    const missing = needs.filter((need) => isOlder(version, need.version));
    if (missing.length === 0) return;
    throw operationError(
      `The runner "${this.#command}" has version ${version}, which is too old: ${missing.map(({ feature: what, version: needed }) => `${what} needs ${needed}`).join(', ')}. Update it with "npm install -g @usebruno/cli".`,
      'DEPENDENCY_MISSING',
    );
  }

  async #versionOf(program: RunnerProgram, signal: AbortSignal): Promise<string> {
    const key = [program.version.file, ...program.version.args].join('\0');
    const known = this.#versions.get(key);
    if (known !== undefined) return known;
    const version = (await installedVersion(program.entry)) ?? (await this.#printedVersion(program, signal));
    this.#versions.set(key, version);
    return version;
  }

  async #printedVersion(program: RunnerProgram, signal: AbortSignal): Promise<string> {
    const { stdout, stderr, exitCode } = await this.#start(program, program.version, ['--version'], {
      cwd: process.cwd(),
      signal,
      guard: noRequestsGuard,
    });
    const version = firstVersion(decodeUtf8(stdout).text);
    if (exitCode !== 0 || version === undefined) {
      const words = excerpt(`${decodeUtf8(stdout).text} ${decodeUtf8(stderr).text}`);
      throw operationError(
        `"${this.#command} --version" should print a version, but ended with ${exitCode ?? 'a signal'} and printed: ${words}. ${install}.`,
        'DEPENDENCY_MISSING',
      );
    }
    return version;
  }

  #start(
    { entry }: RunnerProgram,
    { file, args: before }: LaunchCommand,
    args: readonly string[],
    { cwd, signal, guard, onLine }: RunOptions,
  ): Promise<ProgramResult> {
    return runProgram(file, [...before, ...args], {
      cwd,
      env: this.#environment(entry),
      signal,
      maxOutputBytes,
      onChannel: (channel) => answerQuestions(channel, guard, entry, () => void this.#guarded.add(file)),
      ...(onLine === undefined ? {} : { onOutput: lines(onLine) }),
    });
  }

  #environment(entry: string | undefined): Record<string, string> {
    const named = this.#env.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]));
    const guard = entry === undefined ? { NODE_OPTIONS: `--require=${JSON.stringify(modulePath('guard.cjs'))}` } : {};
    return { ...minimalEnvironment(), ...Object.fromEntries(named), ...guard };
  }
}

/** Returns the version in the package.json of the entry: starting the runner for it takes two seconds. */
async function installedVersion(entry: string | undefined): Promise<string | undefined> {
  if (entry === undefined) return undefined;
  try {
    // No number: the name and the version of a package are texts.
    const { name, version } = JSON.parse(await readText(path.resolve(entry, '../../package.json'))) as Record<string, unknown>;
    return name === '@usebruno/cli' ? firstVersion(String(version)) : undefined;
  } catch {
    return undefined;
  }
}

function firstVersion(text: string): string | undefined {
  return text.match(/\d+\.\d+\.\d+/)?.[0];
}

/** Returns the path of a module next to this file, which is loaded into the runner. */
function modulePath(name: string): string {
  return path.join(codeRoot(), 'plugins', 'apiclient', name);
}

function isOlder(version: string, needed: string): boolean {
  const [left, right] = [version, needed].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const index = right.findIndex((part, at) => part !== (left[at] ?? 0));
  return index >= 0 && (left[index] ?? 0) < (right[index] ?? 0);
}

/** Returns a function that splits output into lines and calls `onLine` with those that are not blank. */
function lines(onLine: (line: string) => void): (chunk: Buffer) => void {
  // Own text: progress of the runner, shown and no result
  const decoder = new TextDecoder();
  let rest = '';
  return (chunk) => {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = (parts.pop() ?? '').slice(-10_000);
    for (const line of parts) if (line.trim() !== '') onLine(line.trim());
  };
}
