/** A tool or skill that is not served until a person accepts it. */
export interface WithheldItem {
  readonly kind: 'tool' | 'skill';
  readonly name: string;
  /** The reason, as the rest of a sentence that begins with the name: `has changed in the source "box" (description)`. */
  readonly how: string;
  /** The way to accept it, as a clause: `"toolkit accept pay" accepts it`. */
  readonly acceptedBy: string;
}
