/** The variables with the key of this host and the one before it. They are no secrets of tools, whatever a tool calls its own. */
export const keyVariables = { current: 'TOOLKIT_KEY', previous: 'TOOLKIT_KEY_PREVIOUS' } as const;
