import { lstat, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { controlFileError, excerpt, type HostAddress, messageOf, ToolkitError } from '../../kernel/index.ts';
import { isInside } from '../shared/project/is-inside.ts';
import type { Root } from './descriptor.ts';
import { codeOf, failed } from './failed.ts';
import type { Access, FileAnswer, Guard } from './guard.ts';
import type { Work } from './settings.ts';

/** A file that a request, or the collection, sends or proves itself with. */
export interface NamedFile {
  /** What names it, relative to the collection. */
  readonly by: string;
  /** As it is written: absolute, or relative to the collection. */
  readonly path: string;
}

interface RunScope {
  readonly sandbox: 'safe' | 'developer';
  readonly roots: readonly string[];
  /** The private folder of the run, its links resolved. */
  readonly folder: string;
}

/** Files that the runner looks into by itself, for proxies. It can do without. */
const ownLooks: ReadonlySet<string> = new Set(['/etc/environment']);

/** Messages kept of one run. */
const maxRefusals = 20;

/**
 * What one run may reach. Connections: what the outbound guard lets tools reach. Files, in a safe run: read what is inside the roots, write
 * nothing but reports. A developer run has the files of the server's account, which is why it is gated.
 */
export class RunGuard implements Guard {
  readonly isSafe: boolean;
  readonly #collection: string;
  readonly #roots: readonly string[];
  readonly #folder: string;
  readonly #context: Work['context'];
  readonly #refusals = new Set<string>();

  constructor({ directory }: Pick<Root, 'directory'>, { sandbox, roots, folder }: RunScope, context: Work['context']) {
    this.isSafe = sandbox === 'safe';
    this.#collection = directory;
    this.#roots = roots.length === 0 ? [directory] : roots;
    this.#folder = folder;
    this.#context = context;
  }

  /** What the run was refused, a sentence each. */
  get refusals(): readonly string[] {
    return [...this.#refusals];
  }

  /** Throws INVALID_PARAMETERS, naming every file that a safe run may not have. A name with variables is known, and looked at, when it is opened. */
  async expectOpen(named: readonly NamedFile[]): Promise<void> {
    if (!this.isSafe) return;
    const answers = await Promise.all(
      named
        .filter((file) => !file.path.includes('{{'))
        .map(async ({ by, path: file }) => ({ by, file, answer: await this.#place(path.resolve(this.#collection, file.trim()), 'read') })),
    );
    const wrong = answers.filter(({ answer }) => 'refused' in answer);
    if (wrong.length === 0) return;
    const shown = wrong.slice(0, maxRefusals).map(({ by, file }) => `${by} names ${excerpt(file)}`);
    const more = wrong.length > maxRefusals ? ` and ${wrong.length - maxRefusals} more` : '';
    throw failed(
      `Nothing was run: files of requests must be inside ${this.#roots.join(' or ')}, but ${shown.join(', ')}${more}. Put copies there, or run with sandbox_mode developer, which a person must approve.`,
      'INVALID_PARAMETERS',
    );
  }

  async fileAt(file: string, access: Access): Promise<FileAnswer> {
    const answer = await this.#place(file, access);
    // Variables that scripts set are kept for the run all the same.
    if (access === 'read' && 'refused' in answer && !ownLooks.has(file)) this.#note(answer.refused);
    return answer;
  }

  async addressesOf(host: string, port: number): Promise<readonly HostAddress[]> {
    try {
      return await this.#context.addressesOf(host, port);
    } catch (error) {
      if (ToolkitError.is(error) && error.code === 'OUTBOUND_BLOCKED') this.#note(messageOf(error));
      throw error;
    }
  }

  /** The one place where it is decided about a file. */
  async #place(file: string, access: Access): Promise<FileAnswer> {
    const place = await placeOf(file);
    const open = access === 'read' ? [...this.#roots, this.#folder] : [this.#folder];
    const secret = access === 'read' ? this.#context.controlFiles.find(place ?? file, 'read') : undefined;
    if (secret !== undefined) return this.#withoutSecrets(file, controlFileError(secret, 'read', file).message);
    if (place !== undefined && open.some((folder) => isInside(place, folder))) return { place };
    const refused =
      access === 'read'
        ? `The file ${excerpt(file)} was not read: expected one inside ${this.#roots.join(' or ')}, links followed. Put a copy there.`
        : `The file ${excerpt(file)} was not changed: a safe run changes none.`;
    return { refused, code: 'EACCES' };
  }

  /** The runner reads the `.env` of its collection by itself, and gets an empty one: requests could send its values anywhere. */
  #withoutSecrets(file: string, refused: string): FileAnswer {
    if (path.resolve(file) !== path.join(this.#collection, '.env')) return { refused, code: 'EACCES' };
    this.#note(refused);
    return { place: os.devNull };
  }

  #note(refusal: string): void {
    if (this.#refusals.size < maxRefusals) this.#refusals.add(refusal);
  }
}

/** Links followed. What is not there is looked for where it would be; undefined where that cannot be said. */
async function placeOf(file: string): Promise<string | undefined> {
  try {
    return await realpath(file);
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT' && (await lstat(file).catch(() => undefined)) === undefined;
    const parent = isMissing && path.dirname(file) !== file ? await placeOf(path.dirname(file)) : undefined;
    return parent === undefined ? undefined : path.join(parent, path.basename(file));
  }
}
