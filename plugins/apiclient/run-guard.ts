import { lstat, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { controlFileError, excerpt, type HostAddress, messageOf, ToolkitError } from '../../kernel/index.ts';
import { isInside } from '../shared/project/is-inside.ts';
import type { Root } from './descriptor.ts';
import type { Access, FileAnswer, Guard } from './guard.ts';
import { codeOf, operationError } from './operation-error.ts';
import type { OperationContext } from './operation-services.ts';

/** A file that a request or the collection sends or authenticates with. */
export interface NamedFile {
  /** The naming file, relative to the collection. */
  readonly by: string;
  /** As written: absolute, or relative to the collection. */
  readonly path: string;
}

interface RunScope {
  readonly sandbox: 'safe' | 'developer';
  readonly roots: readonly string[];
  /** The private folder of the run, with links resolved. */
  readonly folder: string;
}

/** Files that the runner itself opens, for proxy settings. It works without them. */
const optionalFiles: ReadonlySet<string> = new Set(['/etc/environment']);

/** Maximum number of stored messages of a run. */
const maxRefusals = 20;

/**
 * Access of one run. Connections: to hosts that the outbound guard allows. Files of a safe run: it reads inside the roots, and writes nothing but
 * reports. A developer run can access all files of the server's account, and therefore needs approval.
 */
export class RunGuard implements Guard {
  readonly isSafe: boolean;
  readonly #collection: string;
  readonly #roots: readonly string[];
  readonly #folder: string;
  readonly #context: OperationContext['context'];
  readonly #refusals = new Set<string>();

  constructor({ directory }: Pick<Root, 'directory'>, { sandbox, roots, folder }: RunScope, context: OperationContext['context']) {
    this.isSafe = sandbox === 'safe';
    this.#collection = directory;
    this.#roots = roots.length === 0 ? [directory] : roots;
    this.#folder = folder;
    this.#context = context;
  }

  /** Refusals of the run, one sentence each. */
  get refusals(): readonly string[] {
    return [...this.#refusals];
  }

  /** Throws INVALID_PARAMETERS, naming every file that a safe run may not read. A path with variables is checked when it is opened. */
  async requireReadable(named: readonly NamedFile[]): Promise<void> {
    if (!this.isSafe) return;
    const answers = await Promise.all(
      named
        .filter((file) => !file.path.includes('{{'))
        .map(async ({ by, path: file }) => ({ by, file, answer: await this.#decide(path.resolve(this.#collection, file.trim()), 'read') })),
    );
    const refused = answers.filter(({ answer }) => 'refused' in answer);
    if (refused.length === 0) return;
    const shown = refused.slice(0, maxRefusals).map(({ by, file }) => `${by} names ${excerpt(file)}`);
    const more = refused.length > maxRefusals ? ` and ${refused.length - maxRefusals} more` : '';
    throw operationError(
      `Nothing was run: files of requests must be inside ${this.#roots.join(' or ')}, but ${shown.join(', ')}${more}. Put copies there, or run with sandbox_mode developer, which a person must approve.`,
      'INVALID_PARAMETERS',
    );
  }

  async fileAt(file: string, access: Access): Promise<FileAnswer> {
    const answer = await this.#decide(file, access);
    // A refused write is not reported: variables that scripts set stay in memory for the run.
    if (access === 'read' && 'refused' in answer && !optionalFiles.has(file)) this.#note(answer.refused);
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

  /** Decides about a file. All file checks use it. */
  async #decide(file: string, access: Access): Promise<FileAnswer> {
    const place = await realPathOf(file);
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

  /**
   * Refuses a file with secrets. The runner always reads the `.env` of its collection: it gets an empty file, because requests could send its values
   * anywhere.
   */
  #withoutSecrets(file: string, refused: string): FileAnswer {
    if (path.resolve(file) !== path.join(this.#collection, '.env')) return { refused, code: 'EACCES' };
    this.#note(refused);
    return { place: os.devNull };
  }

  #note(refusal: string): void {
    if (this.#refusals.size < maxRefusals) this.#refusals.add(refusal);
  }
}

/** Returns the real path, links resolved. For a missing file: the path it would have; undefined when that is unknown. */
async function realPathOf(file: string): Promise<string | undefined> {
  try {
    return await realpath(file);
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT' && (await lstat(file).catch(() => undefined)) === undefined;
    const parent = isMissing && path.dirname(file) !== file ? await realPathOf(path.dirname(file)) : undefined;
    return parent === undefined ? undefined : path.join(parent, path.basename(file));
  }
}
