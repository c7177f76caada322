import { type CodeFile, keyOfCode, type Registry } from '../../kernel/index.ts';
import { fingerprintOf, pin } from '../shared/pinned-code/code-file.ts';
import { isInside } from '../shared/project/is-inside.ts';

interface CheckedFile {
  readonly fingerprint: string;
  readonly file: CodeFile;
}

/** The code files of the current tools, with their contents at the last check. */
export class WatchedCode {
  readonly #registry: () => Registry;
  readonly #checked = new Map<string, CheckedFile>();
  #files: { readonly of: Registry; readonly code: ReadonlyMap<string, CodeFile> } | undefined;

  constructor(registry: () => Registry) {
    this.#registry = registry;
  }

  get isEmpty(): boolean {
    return this.#code().size === 0;
  }

  /** Checks all files. Returns those whose content has changed since the last check. */
  check(): readonly CodeFile[] {
    const changed: CodeFile[] = [];
    for (const [key, { file, part }] of this.#code()) {
      const known = this.#checked.get(key);
      const fingerprint = fingerprintOf(file);
      if (known !== undefined && known.fingerprint === fingerprint) continue;
      const now = { fingerprint, file: pin(file, part) };
      this.#checked.set(key, now);
      if (known !== undefined && known.file.sha256 !== now.file.sha256) changed.push(now.file);
    }
    return changed;
  }

  /** Returns the files at these paths or below them, with their contents at the last check. */
  filesAt(paths: readonly string[]): readonly CodeFile[] {
    if (paths.length === 0) return [];
    return [...this.#checked.values()].flatMap(({ file }) => (paths.some((path) => isInside(file.file, path)) ? [file] : []));
  }

  #code(): ReadonlyMap<string, CodeFile> {
    const registry = this.#registry();
    if (this.#files?.of !== registry) {
      const all = [...registry.pinned, ...[...registry.tools.values()].flatMap(({ code = [] }) => code)];
      this.#files = { of: registry, code: new Map(all.map((file) => [keyOfCode(file), file])) };
    }
    return this.#files.code;
  }
}
