/** Values of `--format`. */
export const formatNames = ['text', 'json', 'sarif', 'github'] as const;

export type FormatName = (typeof formatNames)[number];
