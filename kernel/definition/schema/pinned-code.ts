/** A code file that a tool runs, or a part of a manifest that selects the code, as of the discovery. */
export interface CodeFile {
  /** Absolute path. */
  readonly file: string;
  /** Name of the relevant part of the file, chosen by the plugin, such as `imports` of a package.json. @default the whole file */
  readonly part?: string;
  /** SHA-256 in hex; empty for a missing or unreadable file; `unseen` for content that no person has accepted. */
  readonly sha256: string;
}

/** The code that runs with the files of a definition. */
export interface PinnedCode {
  /** Files that tools may edit. While one of them differs, the tool is withheld from models. */
  readonly files: readonly CodeFile[];
  /** Absolute paths of files and folders in which tools must not create or change anything: new files there would run instead of the current ones. */
  readonly reserved: readonly string[];
}

/** Value of `sha256` for a model's content that no person has accepted. No file has this digest. */
export const unseen = 'unseen';

/** Returns the key of a file or its part. */
export function keyOfCode({ file, part = '' }: Pick<CodeFile, 'file' | 'part'>): string {
  return `${file}\0${part}`;
}
