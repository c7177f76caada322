export const outputs = ['table', 'json', 'raw'] as const;

/** Format of the printed result. */
export type Output = (typeof outputs)[number];
