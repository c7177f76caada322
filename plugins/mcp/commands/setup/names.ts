/** The transports over which assistants reach a server. */
export const setupTransports = ['stdio', 'http'] as const;
export type Transport = (typeof setupTransports)[number];

/** `generic` is the format that most other clients read. */
export const clientNames = ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'windsurf', 'generic'] as const;
export type ClientName = (typeof clientNames)[number];
