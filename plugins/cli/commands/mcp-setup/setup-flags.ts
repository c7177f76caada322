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
  readonly isTested: boolean;
  readonly isWritten: boolean;
  readonly isJson: boolean;
}
