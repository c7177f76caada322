import { AssertionError } from 'chai';

/** Faults of a tool over many calls: an equal finding counts once, with the first call that shows it. */
export class Findings {
  readonly #titles = new Map<string, string[]>();

  add(title: string, findings: readonly string[]): void {
    for (const finding of findings) this.#titles.set(finding, [...(this.#titles.get(finding) ?? []), title]);
  }

  /** Throws when there is one. */
  expectNone(): void {
    const lines = [...this.#titles].map(([finding, [first, ...others]]) => {
      const more = others.length === 0 ? '' : ` (and ${others.length} other calls)`;
      return `- ${finding}\n    ${first}${more}`;
    });
    if (lines.length > 0) throw new AssertionError(`${lines.length} findings:\n${lines.slice(0, 12).join('\n')}`);
  }
}
