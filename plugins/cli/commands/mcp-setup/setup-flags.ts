import type { PlacedClient } from './configurations.ts';
import type { Transport } from './names.ts';
import type { ToolGroup } from './scan.ts';

/** What the flags say. */
export interface SetupFlags {
  readonly transport?: Transport;
  /** Those that may be chosen: all, or all but core. */
  readonly offered: readonly ToolGroup[];
  /** Those that are chosen; absent for a question, or for all. */
  readonly groups?: readonly ToolGroup[];
  /** Clients of `--client`, else all. */
  readonly placed: readonly PlacedClient[];
  readonly hasClients: boolean;
  readonly name: string;
  /** Files of this project, not those of all projects. */
  readonly isOfProject: boolean;
  /** An entry that reaches another server gives way. */
  readonly isReplaced: boolean;
  /** The token itself is written. */
  readonly token?: string;
  readonly isTested: boolean;
  readonly isWritten: boolean;
  readonly isJson: boolean;
}
