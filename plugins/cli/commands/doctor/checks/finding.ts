/** `not checked`: nothing is known, because something before it failed. */
export type State = 'ok' | 'warning' | 'problem' | 'not checked';

/** What one check has found. Texts may come from others: they are made visible where they are shown. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string;
  readonly state: State;
  /** One line, without a full stop. */
  readonly message: string;
  /** One by one, such as `tools/a.yaml:3:1 riks: is not known here`. */
  readonly details?: readonly string[];
  /** What to do about it. Absent where nothing need be done. */
  readonly hint?: string;
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
