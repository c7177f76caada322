/** A file of code that a tool runs, or a part of a manifest that decides which code that is, as it was when the tools were discovered. */
export interface CodeFile {
  /** Absolute. */
  readonly file: string;
  /** The part of the file that counts, by a word of whoever named it, such as `imports` of a package.json. @default all of it */
  readonly part?: string;
  /** In hex; empty where there is no such file, or none that can be read; `unseen` for content that nobody has accepted. */
  readonly sha256: string;
}

/** The code that runs with the files that a definition names. */
export interface PinnedCode {
  /** Tools may edit these. A tool is withheld from models while one of them differs. */
  readonly files: readonly CodeFile[];
  /** Absolute paths, also of folders: what came there would run in place of a file, so tools change and create nothing there. */
  readonly reserved: readonly string[];
}

/** The `sha256` of content that a model wrote and nobody has accepted: no file has it. */
export const unseen = 'unseen';

/** Names a file or its part among others. */
export function keyOfCode({ file, part = '' }: Pick<CodeFile, 'file' | 'part'>): string {
  return `${file}\0${part}`;
}
