import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type LaunchedProgram, type LaunchFacts, type ProgramStart, ToolkitError, type WriteGrant } from '../../kernel/index.ts';
import { type Bubblewrap, isolation } from '../shared/process/bubblewrap.ts';
import { isInside } from '../shared/project/is-inside.ts';
import { ActiveRuns } from './active-runs.ts';
import { type FoundFile, findControlFiles } from './file-tree.ts';
import type { Mounts } from './mounts.ts';
import { findNewControlFiles } from './new-control-files.ts';
import { quarantineNote, rightsNotes } from './notes.ts';
import { moveToQuarantine, prepareQuarantine } from './quarantine.ts';
import { requireProgram } from './require-program.ts';
import { existingPaths, openedFolders, outermostFolders, type SandboxFolders, toolFolders } from './sandbox-folders.ts';
import { sandboxMounts } from './sandbox-mounts.ts';

export interface SandboxSettings {
  readonly folders: () => Promise<SandboxFolders>;
  readonly bubblewrap: () => Promise<Bubblewrap>;
  readonly maxEntries: number;
  readonly tools: Readonly<Record<string, { readonly network?: boolean; readonly writes?: readonly WriteGrant[] }>>;
}

/** Starts programs of tools in bubblewrap. The README of this plugin says which files they find there. */
export class Sandbox {
  readonly #settings: SandboxSettings;
  readonly #runs = new ActiveRuns();

  constructor(settings: SandboxSettings) {
    this.#settings = settings;
  }

  /**
   * Prepares the start of a program. Throws DEPENDENCY_MISSING where no sandbox can be made, or the program is not in it, and
   * EXECUTION_FAILED where not all secrets can be hidden.
   */
  async launch(start: ProgramStart, requested: LaunchFacts): Promise<LaunchedProgram> {
    const facts: LaunchFacts = { ...requested, ...this.#settings.tools[requested.tool.name] };
    const bubblewrap = await this.#settings.bubblewrap();
    if (bubblewrap.type === 'fails') throw noSandboxError(facts.tool.name, `${bubblewrap.message}. ${bubblewrap.hint}`);
    const configured = await this.#settings.folders();
    const sandboxFolders = {
      ...configured,
      roots: await existingPaths(configured.roots),
      readable: await existingPaths(configured.readable),
    };
    await Promise.all(sandboxFolders.roots.map(prepareQuarantine));
    if (sandboxFolders.roots.some((root) => isInside(bubblewrap.file, root)))
      throw noSandboxError(facts.tool.name, `${bubblewrap.file} lies in a root, where programs could change it. Install it elsewhere.`);
    const own = await toolFolders(facts);
    const folders = outermostFolders([...sandboxFolders.roots, ...sandboxFolders.readable, ...own]);
    const find = (): Promise<readonly FoundFile[]> =>
      findControlFiles(folders, {
        controlFiles: facts.controlFiles,
        excluded: new Set(sandboxFolders.hidden),
        maxEntries: this.#settings.maxEntries,
      });
    const found = await find();
    const mounts = await sandboxMounts(sandboxFolders, found, own, start, facts);
    await requireProgram(start, mounts);
    const cwd = await realpath(start.cwd).catch(() => start.cwd);
    const instructions = nulSeparated([
      ...isolation,
      ...(facts.network ? ['--share-net'] : []),
      ...['--clearenv', ...Object.entries(environmentOf(start.env, mounts)).flatMap(([name, value]) => ['--setenv', name, value])],
      ...['--proc', '/proc', '--dev', '/dev'],
      ...mounts.toArguments(),
      ...['--chdir', cwd],
    ]);
    const key = createHash('sha256').update(instructions).digest('hex');
    const run = this.#runs.begin(facts.writes);
    return {
      program: bubblewrap.file,
      // Instructions go through a descriptor and not in arguments: all accounts see arguments, and the environment of a tool may
      // hold secrets.
      args: ['--args', '4', '--', start.program, ...start.args],
      // Empty: variables that a caller may set for a program, such as LD_PRELOAD, must not reach bubblewrap itself.
      env: {},
      cwd: '/',
      instructions,
      key,
      ended: async (end) => {
        const granted = run.end();
        const appeared = findNewControlFiles(found, await find(), facts.controlFiles);
        const forbidden = appeared.filter((entryPath) => !granted.some((grant) => openedFolders[grant].includes(path.basename(entryPath))));
        const notes = [...(await quarantineFiles(sandboxFolders.roots, forbidden)), ...rightsNotes(end, facts)];
        return notes.length === 0 ? undefined : notes.join(' ');
      },
    };
  }
}

/** Moves control files that a program left into the quarantine of their innermost root. Returns a sentence for each root. */
async function quarantineFiles(roots: readonly string[], entryPaths: readonly string[]): Promise<string[]> {
  if (entryPaths.length === 0) return [];
  const name = `${new Date().toISOString().replace(/[-:]|\..*/g, '')}-${process.hrtime.bigint().toString(36)}`;
  const innermostOf = (entryPath: string): string | undefined =>
    roots
      .filter((root) => isInside(entryPath, root))
      .reduce<string | undefined>((a, b) => (a !== undefined && a.length > b.length ? a : b), undefined);
  const notes: string[] = [];
  for (const root of roots) {
    const moved = await moveToQuarantine(
      root,
      entryPaths.filter((entryPath) => innermostOf(entryPath) === root),
      name,
    );
    if (moved.length > 0) notes.push(quarantineNote(moved, path.join('.toolkit', 'quarantine', name)));
  }
  return notes;
}

/** Returns the environment of the program. Variables for temporary files point to `/tmp` where their folder is not in the sandbox. */
function environmentOf(env: Readonly<Record<string, string>>, mounts: Mounts): Record<string, string> {
  const moved = ['TMPDIR', 'TEMP', 'TMP'].filter((name) => env[name] !== undefined && !mounts.isVisible(path.resolve('/', env[name])));
  return { ...env, ...Object.fromEntries(moved.map((name) => [name, '/tmp'])) };
}

function noSandboxError(tool: string, reason: string): ToolkitError {
  const text = `The program of "${tool}" was not started, because it is to run in a sandbox and there is none: ${reason}`;
  return new ToolkitError('DEPENDENCY_MISSING', text, { tool, program: 'bwrap' });
}

function nulSeparated(args: readonly string[]): string {
  return args.map((arg) => `${arg}\0`).join('');
}
