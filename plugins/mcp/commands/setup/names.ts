export type { TransportName as Transport } from '../../transports/index.ts';

/** `generic` is the format that most other clients read. */
export const clientNames = ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'windsurf', 'generic'] as const;
export type ClientName = (typeof clientNames)[number];
