import { useState } from 'preact/hooks';

/** The shown part of a long list, with what a pager needs. */
export interface Shown<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly more: () => void;
}

/** Shows the first rows of a list, and as many more at each demand: thousands of rows at once would make a page slow. */
export function useShown<Row>(rows: readonly Row[], step = 50): Shown<Row> {
  const [count, setCount] = useState(step);
  return { rows: rows.slice(0, count), hasMore: rows.length > count, more: () => setCount(count + step) };
}
