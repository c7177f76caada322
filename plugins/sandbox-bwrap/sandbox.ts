import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type LaunchedProgram, type LaunchFacts, type ProgramStart, ToolkitError, type WriteGrant } from '../../kernel/index.ts';
import { type Bubblewrap, isolation } from '../shared/process/bubblewrap.ts';
import { isInside } from '../shared/project/is-inside.ts';
import { type FoundFile, findControlFiles } from './file-tree.ts';
import type { Mounts } from './mounts.ts';
import { newControlFiles } from './new-control-files.ts';
import { quarantineNote, rightsNotes } from './notes.ts';
import { OpenRuns } from './open-runs.ts';
import { existing, openedFolders, outermost, type SandboxPlaces, toolFolders } from './places.ts';
import { prepareQuarantine, quarantine } from './quarantine.ts';
import { requireProgram } from './require-program.ts';
import { sandboxMounts } from './sandbox-mounts.ts';

export interface SandboxSettings {
  readonly places: () => Promise<SandboxPlaces>;
  readonly bubblewrap: () => Promise<Bubblewrap>;
  readonly maxEntries: number;
  readonly tools: Readonly<Record<string, { readonly network?: boolean; readonly writes?: readonly WriteGrant[] }>>;
}

/** Starts programs of tools in bubblewrap. The README of this plugin says which files they find there. */
export class Sandbox {
  readonly #settings: SandboxSettings;
  readonly #runs = new OpenRuns();

  constructor(settings: SandboxSettings) {
    this.#settings = settings;
  }

  /**
   * Prepares the start of a program. Throws DEPENDENCY_MISSING where no sandbox can be made, or the program is not in it, and
   * EXECUTION_FAILED where not all secrets can be hidden.
   */
  async launch(start: ProgramStart, given: LaunchFacts): Promise<LaunchedProgram> {
    const facts: LaunchFacts = { ...given, ...this.#settings.tools[given.tool.name] };
    const bubblewrap = await this.#settings.bubblewrap();
    if (bubblewrap.type === 'fails') throw noSandbox(facts.tool.name, `${bubblewrap.message}. ${bubblewrap.hint}`);
    const configured = await this.#settings.places();
    const places = { ...configured, roots: await existing(configured.roots), readable: await existing(configured.readable) };
    await Promise.all(places.roots.map(prepareQuarantine));
    if (places.roots.some((root) => isInside(bubblewrap.file, root)))
      throw noSandbox(facts.tool.name, `${bubblewrap.file} lies in a root, where programs could change it. Install it elsewhere.`);
    const own = await toolFolders(facts);
    const folders = outermost([...places.roots, ...places.readable, ...own]);
    const find = (): Promise<readonly FoundFile[]> =>
      findControlFiles(folders, {
        controlFiles: facts.controlFiles,
        without: new Set(places.hidden),
        maxEntries: this.#settings.maxEntries,
      });
    const found = await find();
    const mounts = await sandboxMounts(places, found, own, start, facts);
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
        const appeared = newControlFiles(found, await find(), facts.controlFiles);
        const unasked = appeared.filter((place) => !granted.some((grant) => openedFolders[grant].includes(path.basename(place))));
        const notes = [...(await movedAway(places.roots, unasked)), ...rightsNotes(end, facts)];
        return notes.length === 0 ? undefined : notes.join(' ');
      },
    };
  }
}

/** Moves control files that a program left into the quarantine of their innermost root. Returns a sentence for each root. */
async function movedAway(roots: readonly string[], places: readonly string[]): Promise<string[]> {
  if (places.length === 0) return [];
  const name = `${new Date().toISOString().replace(/[-:]|\..*/g, '')}-${process.hrtime.bigint().toString(36)}`;
  const innermostOf = (place: string): string | undefined =>
    roots
      .filter((root) => isInside(place, root))
      .reduce<string | undefined>((a, b) => (a !== undefined && a.length > b.length ? a : b), undefined);
  const notes: string[] = [];
  for (const root of roots) {
    const moved = await quarantine(
      root,
      places.filter((place) => innermostOf(place) === root),
      name,
    );
    if (moved.length > 0) notes.push(quarantineNote(moved, path.join('.toolkit', 'quarantine', name)));
  }
  return notes;
}

/** Returns the environment of the program. Variables for temporary files point to `/tmp` where their folder is not in the sandbox. */
function environmentOf(env: Readonly<Record<string, string>>, mounts: Mounts): Record<string, string> {
  const moved = ['TMPDIR', 'TEMP', 'TMP'].filter((name) => env[name] !== undefined && !mounts.shows(path.resolve('/', env[name])));
  return { ...env, ...Object.fromEntries(moved.map((name) => [name, '/tmp'])) };
}

function noSandbox(tool: string, why: string): ToolkitError {
  const text = `The program of "${tool}" was not started, because it is to run in a sandbox and there is none: ${why}`;
  return new ToolkitError('DEPENDENCY_MISSING', text, { tool, program: 'bwrap' });
}

function nulSeparated(args: readonly string[]): string {
  return args.map((arg) => `${arg}\0`).join('');
}
