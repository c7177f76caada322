import path from 'node:path';
import {
  type ControlFileRule,
  type ControlFiles,
  controlFileError,
  excerpt,
  type FileAccess,
  ToolkitError,
} from '../../../kernel/index.ts';
import type { RunAgain } from '../../../plugins/executor-command/index.ts';
import { resolvePath } from './git-folder.ts';
import { PlainFolders } from './plain-folders.ts';
import { outputOf } from './revision.ts';
import type { Side, TreeChange } from './tree-changes.ts';

/** Maximum number of control files in a message. */
const maxNamed = 5;

interface WorkingTreeContext {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly controlFiles: ControlFiles;
}

/** Finds the control files of a repository: by name, in every revision, as if the file were at its path in the working tree. */
export class WorkingTree {
  readonly #repository: string;
  readonly #controlFiles: ControlFiles;
  readonly #folders: PlainFolders;
  /** Real paths of parent folders, by path. */
  readonly #real = new Map<string, string>();

  constructor({ parameters, controlFiles }: WorkingTreeContext) {
    this.#repository = String(parameters['repository']);
    this.#controlFiles = controlFiles;
    this.#folders = new PlainFolders(this.#repository);
  }

  /** Returns the rule that blocks a file, by its name relative to the top folder. */
  async find(name: string, access: FileAccess): Promise<ControlFileRule | undefined> {
    const place = path.resolve(this.#repository, name);
    const folder = path.dirname(place);
    const rule = this.#controlFiles.find(place, access);
    if (rule !== undefined || this.#folders.isPlain(folder)) return rule;
    const real = this.#real.get(folder) ?? (await resolvePath(folder));
    this.#real.set(folder, real);
    return this.#controlFiles.find(path.join(real, path.basename(place)), access);
  }

  /** Returns false for a file in a folder that was replaced by a symbolic link: git follows the link, wherever it leads. */
  isWithin(name: string): boolean {
    return this.#folders.isPlain(path.dirname(path.resolve(this.#repository, name)));
  }

  /** Throws POLICY_DENIED for a file that tools must not read. */
  async refuseSecret(name: string): Promise<void> {
    const rule = await this.find(name, 'read');
    if (rule !== undefined) throw controlFileError(rule, 'read', name);
  }

  /** Returns the names of files that tools must not read. */
  async secretsAmong(names: Iterable<string>): Promise<ReadonlySet<string>> {
    const secrets = new Set<string>();
    for (const name of names) if ((await this.find(name, 'read')) !== undefined) secrets.add(name);
    return secrets;
  }

  /**
   * Throws POLICY_DENIED when one of these changes to the working tree creates, changes or removes a control file, or a link to
   * one. Call it before the first change. `what`: the cause, such as `the branch "side"`.
   */
  async refuseChanges(what: string, changes: readonly TreeChange[], run: RunAgain): Promise<void> {
    const found = new Map<string, ControlFileRule>();
    for (const change of changes) {
      const rule = (await this.find(change.name, 'write')) ?? this.#redirected(change) ?? (await this.#linked(change, run));
      if (rule !== undefined) found.set(change.name, rule);
    }
    if (found.size > 0) throw refusal(what, found);
  }

  /** Returns the rule for a link or a submodule at a path that leads to a control file. */
  #redirected({ name, from, to }: TreeChange): ControlFileRule | undefined {
    const leads = ({ type }: Side): boolean => type === 'link' || type === 'submodule';
    return leads(from) || leads(to) ? this.#controlFiles.findBelow(path.resolve(this.#repository, name)) : undefined;
  }

  /** Returns the rule for the target of a new link. */
  async #linked({ name, to }: TreeChange, run: RunAgain): Promise<ControlFileRule | undefined> {
    if (to.type !== 'link') return undefined;
    const target = path.resolve(this.#repository, path.dirname(name), await outputOf(run, ['cat-file', 'blob', to.hash], {}));
    return this.#controlFiles.find(target, 'write') ?? this.#controlFiles.find(await resolvePath(target), 'write');
  }
}

function refusal(what: string, found: ReadonlyMap<string, ControlFileRule>): ToolkitError {
  const files = [...found.keys()];
  const named = [...found].slice(0, maxNamed).map(([name, { what: kind }]) => `${excerpt(name, 60)} (${kind})`);
  const more = files.length > maxNamed ? ` and ${files.length - maxNamed} more` : '';
  return new ToolkitError(
    'POLICY_DENIED',
    `Nothing was changed: ${what} would change ${files.length === 1 ? 'a control file' : `${files.length} control files`}, ${named.join(', ')}${more}. Tools do not create, change, move or remove these, nor links to them. Tell the person you work for: the operator looks at the change and makes it with git in a terminal, or lists the files in "allowControlFiles" of confine-paths.`,
    { files: files.slice(0, 100), count: files.length },
  );
}
