/** A rule as it is declared; its pattern is a name, or several with `/` between them. */
interface Rule {
  readonly pattern: string;
  readonly read: boolean;
}

/** A rule by a name, or by several names one below the other, such as `objects` anywhere below `.git`. */
interface NameRule<R> {
  readonly rule: R;
  /** The pattern of one name, or of a whole path where there are several. */
  readonly form: RegExp;
}

/** The rules of control files that hold at any depth. Most files fall under none, which one look at a path tells. */
export class NameRules<R extends Rule> {
  readonly #single: readonly NameRule<R>[];
  readonly #several: readonly NameRule<R>[];
  readonly #openNames: readonly RegExp[];
  readonly #anyName: RegExp;
  readonly #anyPath: RegExp;
  readonly #heads: readonly RegExp[];
  /** A name under which a path may fall, where there are several the first of them: of rules that are asked about for reading, and of all. */
  readonly #mayHold: Readonly<Record<'read' | 'write', RegExp>>;

  /** `closing`: rules whose patterns are no absolute paths; `open`: patterns without their `!`. `fold` gives the form in which names compare. */
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

  /** False where no rule holds a path because of this folded name in it, alone or with others behind it. */
  mayHold(name: string, access: 'read' | 'write'): boolean {
    return this.#mayHold[access].test(name);
  }

  /** The first rule under which a folded path falls, of those for which `isHeld` is true. */
  find(form: string, parts: readonly string[], isHeld: (rule: R) => boolean): R | undefined {
    const single = parts.some((part) => this.#anyName.test(part)) ? this.#findSingle(parts, isHeld) : undefined;
    return single ?? (this.#anyPath.test(form) ? this.#findSeveral(form, isHeld) : undefined);
  }

  /** A folder of this folded name may hold, by several names, what tools do not read. */
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

/** The source of a regular expression in which `*` means any characters of a name, and `[0-9a-f]` one hexadecimal digit. */
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

/** Several names, one below the other; `**` means any folders between, also none. */
function pathSource(pattern: string, fold: (text: string) => string): string {
  const names = pattern.split('/');
  const last = names.length - 1;
  const sources = names.map((name, index) =>
    name === '**' ? '(?:[^\\\\/]+[\\\\/])*' : `${nameSource(fold(name))}${index === last ? '' : '[\\\\/]'}`,
  );
  return `(?<=^|[\\\\/])${sources.join('')}(?=$|[\\\\/])`;
}

/** Fits what any of these fits; nothing when there are none. */
function anyOf(sources: readonly string[]): RegExp {
  return sources.length === 0 ? /(?!)/ : new RegExp(sources.map((source) => `(?:${source})`).join('|'), 's');
}
