/** A defence of the console, as the change of source that removes it. */
export interface Defence {
  /** Unique: what it does, such as `the CSRF token`. */
  readonly name: string;
  /** Path of the file from the root of the project. A file of the page is built into another page. */
  readonly file: string;
  /** The text before, which the file has exactly once, and the text after. A defence that has moved is noticed so. */
  readonly replace: readonly [before: string, after: string];
}

/** Returns the text of a file without these defences. Throws where a text is not in it exactly once. */
export function without(defences: readonly Defence[], file: string, text: string): string {
  let changed = text;
  for (const { name, replace } of defences.filter((defence) => defence.file === file)) {
    const [before, after] = replace;
    const count = changed.split(before).length - 1;
    if (count !== 1) throw new Error(`Expected the text of "${name}" once in ${file}, received it ${count} times: ${before}`);
    changed = changed.replace(before, () => after);
  }
  return changed;
}
