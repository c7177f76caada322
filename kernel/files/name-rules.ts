/** A declared rule. Its pattern is one name, or several with `/` in between. */
interface Rule {
  readonly pattern: string;
  readonly read: boolean;
}

/** A rule for one name, or for several nested ones, such as `objects` below any `.git`. */
interface NameRule<R> {
  readonly rule: R;
  /** Matches one name, or a whole path for a pattern with several names. */
  readonly form: RegExp;
}

/** The rules by name, which apply at any depth. Most files match none; one test of the path finds that out. */
export class NameRules<R extends Rule> {
  readonly #single: readonly NameRule<R>[];
  readonly #several: readonly NameRule<R>[];
  readonly #openNames: readonly RegExp[];
  readonly #anyName: RegExp;
  readonly #anyPath: RegExp;
  readonly #heads: readonly RegExp[];
  /** Matches the first names of the rules: of those that apply to reading, and of all. */
  readonly #mayHold: Readonly<Record<'read' | 'write', RegExp>>;

  /** `closing`: rules without an absolute path. `open`: patterns without their `!`. `fold` returns the comparable form of a name. */
  constructor(closing: readonly R[], open: readonly string[], fold: (text: string) => string) {
    const single = closing.filter(({ pattern }) => !pattern.includes('/'));
    const several = closing.filter(({ pattern }) => pattern.includes('/'));
    this.#single = single.map((rule) => ({ rule, form: new RegExp(`^${nameSource(fold(rule.pattern))}$`, 's') }));
    this.#several = several.map((rule) => ({ rule, form: new RegExp(pathSource(rule.pattern, fold), 's') }));
    this.#openNames = open.map((pattern) => new RegExp(`^${nameSource(fold(pattern))}$`, 's'));
    this.#anyName = anyOf(single.map(({ pattern }) => `^${nameSource(fold(pattern))}$`));
    this.#anyPath = anyOf(several.map(({ pattern }) => pathSource(pattern, fold)));
    this.#heads = several
      .filter(({ read }) => !read)
      .map(({ pattern }) => new RegExp(`^${nameSource(fold(pattern.split('/')[0] ?? ''))}$`, 's'));
    const firstNames = (rules: readonly R[]): RegExp =>
      anyOf(rules.map(({ pattern }) => `^${nameSource(fold(pattern.split('/')[0] ?? '').replace(/^\*\*$/, '*'))}$`));
    this.#mayHold = { read: firstNames(closing.filter(({ read }) => !read)), write: firstNames(closing) };
  }

  /** False when no rule can apply because of this folded name, alone or followed by others. */
  mayHold(name: string, access: 'read' | 'write'): boolean {
    return this.#mayHold[access].test(name);
  }

  /** Returns the first rule for a folded path, among those for which `isHeld` is true. */
  find(form: string, parts: readonly string[], isHeld: (rule: R) => boolean): R | undefined {
    const single = parts.some((part) => this.#anyName.test(part)) ? this.#findSingle(parts, isHeld) : undefined;
    return single ?? (this.#anyPath.test(form) ? this.#findSeveral(form, isHeld) : undefined);
  }

  /** True for the folded name of a folder whose content may include files that tools must not read. */
  isHead(name: string): boolean {
    return this.#heads.some((head) => head.test(name));
  }

  #findSingle(parts: readonly string[], isHeld: (rule: R) => boolean): R | undefined {
    return this.#single.find(({ rule, form }) => isHeld(rule) && parts.some((part) => form.test(part) && !this.#isOpen(part)))?.rule;
  }

  #findSeveral(form: string, isHeld: (rule: R) => boolean): R | undefined {
    return this.#several.find(({ rule, form: pattern }) => {
      const [found] = (isHeld(rule) ? pattern.exec(form) : undefined) ?? [];
      return found !== undefined && !found.split(/[\\/]/).some((part) => this.#isOpen(part));
    })?.rule;
  }

  #isOpen(part: string): boolean {
    return this.#openNames.some((open) => open.test(part));
  }
}

/** Returns the source of a regular expression: `*` matches any characters of a name, and `[0-9a-f]` one hexadecimal digit. */
export function nameSource(form: string): string {
  return form
    .split('[0-9a-f]')
    .map((part) =>
      part
        .split('*')
        .map((literal) => literal.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
        .join('[^\\\\/]*'),
    )
    .join('[0-9a-f]');
}

/** Returns the source for several nested names. `**` matches any folders, also none. */
function pathSource(pattern: string, fold: (text: string) => string): string {
  const names = pattern.split('/');
  const last = names.length - 1;
  const sources = names.map((name, index) =>
    name === '**' ? '(?:[^\\\\/]+[\\\\/])*' : `${nameSource(fold(name))}${index === last ? '' : '[\\\\/]'}`,
  );
  return `(?<=^|[\\\\/])${sources.join('')}(?=$|[\\\\/])`;
}

/** Matches what any of the sources matches; nothing for an empty list. */
function anyOf(sources: readonly string[]): RegExp {
  return sources.length === 0 ? /(?!)/ : new RegExp(sources.map((source) => `(?:${source})`).join('|'), 's');
}
