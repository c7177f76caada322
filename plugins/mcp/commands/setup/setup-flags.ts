import type { ClientTarget } from './configurations.ts';
import type { Transport } from './names.ts';
import type { ToolGroup } from './scan.ts';

/** Parsed flags of `toolkit mcp setup`. */
export interface SetupFlags {
  readonly transport?: Transport;
  /** Groups to choose from: all, or all except core. */
  readonly offered: readonly ToolGroup[];
  /** Chosen groups; absent to ask, or for all. */
  readonly groups?: readonly ToolGroup[];
  /** Clients of `--client`, else all. */
  readonly targets: readonly ClientTarget[];
  readonly hasClients: boolean;
  readonly name: string;
  /** True for the files of this project, false for those of all projects. */
  readonly usesProjectFiles: boolean;
  /** True when an entry that connects to another server is replaced. */
  readonly isReplaced: boolean;
  /** Token to write into the file. */
  readonly token?: string;
  readonly runsTest: boolean;
  readonly writesFiles: boolean;
  readonly printsJson: boolean;
}
