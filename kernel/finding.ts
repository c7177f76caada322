/** State of a finding. `not checked`: the check could not run, because something before it failed. */
export type FindingState = 'ok' | 'warning' | 'problem' | 'not checked';

/** Result of one check of `toolkit doctor`. Texts may be foreign: the report makes them visible. */
export interface Finding {
  /** The subject of the check, in a word or two. */
  readonly check: string;
  readonly state: FindingState;
  /** One line, without a full stop. */
  readonly message: string;
  /** Single items, such as `tools/a.yaml:3:1 riks: is not known here`. */
  readonly details?: readonly string[];
  /** Next step; absent when there is nothing to do. */
  readonly hint?: string;
}
