/** A value of a document with the file that holds it, to which relative references refer. */
export interface Located {
  readonly value: unknown;
  /** The document as its source names it: an absolute path or a URL. */
  readonly base: string;
  /** JSON pointer of the value in that file (RFC 6901). */
  readonly pointer: string;
}

/** Follows references of one document: inside it, or into files of its own folder. Opens nothing else. */
export interface Resolver {
  /** Returns the value of a reference, following chains of references; otherwise the reason why there is none, for people. */
  resolve(reference: string, from: Located): Located | string;
  /** Returns the value itself, or the one to which its `$ref` leads. Members beside `$ref` are not merged. */
  follow(located: Located): Located | string;
  /** Returns a member or item of a value, without following references. Undefined where there is none. */
  at(located: Located, ...segments: readonly (string | number)[]): Located | undefined;
}
