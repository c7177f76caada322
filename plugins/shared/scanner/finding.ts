/** Kinds of findings, as they are printed. */
export type FindingKind =
  | 'hidden characters'
  | 'mixed scripts'
  | 'override'
  | 'concealment'
  | 'secrets'
  | 'exfiltration'
  | 'other tools'
  | 'look-alike name'
  | 'link with data'
  | 'encoded text'
  | 'command'
  | 'model markup'
  | 'delayed change'
  | 'split text';

/** Effect of a finding: `hard` blocks, `warning` is shown to the person who accepts. */
export type Severity = 'hard' | 'warning';

/** A suspicious text among the scanned items. */
export interface Finding {
  readonly severity: Severity;
  readonly kind: FindingKind;
  /** Type and name of the item, such as `tool "read_file"`. */
  readonly item: string;
  /** The name of the item as it is, not safe to print. */
  readonly name: string;
  /** JSON Pointer to the text within the item; empty for its name. */
  readonly path: string;
  /** A sentence for people, without foreign text. */
  readonly message: string;
  /** The passage as a model reads it, at most 160 characters; hidden characters are escaped. */
  readonly excerpt: string;
}

/** A finding without its item and path. */
export type TextFinding = Pick<Finding, 'severity' | 'kind' | 'message' | 'excerpt'>;
