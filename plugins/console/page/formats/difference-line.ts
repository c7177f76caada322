import type { ShownChange } from '../../wire/sources.ts';

/** One line of a difference of two texts. */
export type DifferenceLine = ShownChange['difference'][number];
