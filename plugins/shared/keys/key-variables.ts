/** Variables with the key of this host and the previous key. They are never secrets of tools, whatever names tools declare. */
export const keyVariables = { current: 'TOOLKIT_KEY', previous: 'TOOLKIT_KEY_PREVIOUS' } as const;
