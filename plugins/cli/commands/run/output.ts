export const outputs = ['table', 'json', 'raw'] as const;

/** How the result is written. */
export type Output = (typeof outputs)[number];
