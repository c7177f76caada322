import { realpathSync } from 'node:fs';
import path from 'node:path';
import { excerpt, ToolkitError } from '../errors.ts';
import { normalizeText } from '../schema/normalize-text.ts';
import { NameRules, nameSource } from './name-rules.ts';

/** The access of a tool to a file. */
export type FileAccess = 'read' | 'write';

export interface ControlFilesOptions {
  /** The name of the files in messages, such as `the audit trail`. */
  readonly what: string;
  /** True when tools may read them; false for files with secrets. @default true */
  readonly read?: boolean;
}

/** A rule about control files, declared by a plugin. JSON, so that a worker thread can receive it. */
export interface ControlFileRule {
  /**
   * An absolute path: that file or folder, with its content. A name: every file and folder of that name at any depth, with its content. Names
   * with `/` between them: each directly below the one before; `**` stands for any folders. `*` matches any characters of a name, and `[0-9a-f]` in a
   * name one hexadecimal digit. A leading `!` excludes the path or name from all rules.
   */
  readonly pattern: string;
  readonly what: string;
  readonly read: boolean;
  /** The plugin that declared the rule. */
  readonly plugin: string;
}

/**
 * The control files: files that decide what the service does and trusts, such as definitions, code, configuration, policy, keys and the trail.
 * Tools must not create, change, move or remove them, whether they exist or not, nor read those with secrets. Names are compared without case
 * and in one Unicode form, as the most tolerant file system does.
 */
export class ControlFiles {
  readonly rules: readonly ControlFileRule[];
  readonly #names: NameRules<ControlFileRule>;
  readonly #patterns: readonly RulePattern[];
  readonly #openPatterns: readonly PathPattern[];
  #byForm: ReadonlyMap<string, readonly RulePattern[]> | undefined;
  /** The last folder that was checked, for each access. */
  readonly #last: Partial<Record<FileAccess, LastFolder>> = {};

  constructor(rules: readonly ControlFileRule[]) {
    this.rules = rules;
    const places = rules.filter(({ pattern }) => path.isAbsolute(patternOf(pattern)));
    const names = rules.filter(({ pattern }) => !path.isAbsolute(patternOf(pattern)));
    const openNames = names.filter((rule) => !isClosing(rule)).map(({ pattern }) => patternOf(pattern));
    this.#names = new NameRules(names.filter(isClosing), openNames, formsOf);
    this.#patterns = places.filter(isClosing).map((rule, index) => ({ rule, pattern: new PathPattern(rule.pattern), index }));
    this.#openPatterns = places.filter((rule) => !isClosing(rule)).map(({ pattern }) => new PathPattern(patternOf(pattern)));
  }

  /** Returns the rule for an absolute path; undefined when tools may use it. Check both the path as given and its real path. */
  find(file: string, access: FileAccess): ControlFileRule | undefined {
    const forms = formsOf(path.resolve(file));
    if (this.#isFree(forms, access)) return undefined;
    const parts = forms.split(path.sep);
    const isHeld = (rule: ControlFileRule): boolean => isFor(rule, access);
    const rule =
      this.#patternsOf(forms).find(({ rule, pattern }) => isHeld(rule) && pattern.holds(forms))?.rule ??
      this.#names.find(forms, parts, isHeld);
    return rule === undefined || this.#openPatterns.some((pattern) => pattern.holds(forms)) ? undefined : rule;
  }

  /** True for a folder that tools may read, but whose content may include files that they must not, by its name: `.git` with its objects. */
  hidesBelow(folder: string): boolean {
    return this.#names.isHead(formsOf(path.basename(path.resolve(folder))));
  }

  /** A fast check that no rule applies, because whole trees are checked and few names have a rule. */
  #isFree(forms: string, access: FileAccess): boolean {
    const end = forms.lastIndexOf(path.sep);
    const [folder, name] = [forms.slice(0, end), forms.slice(end + 1)];
    const last = this.#last[access]?.folder === folder ? this.#last[access] : { folder, isFree: this.#isFreeFolder(folder, access) };
    this.#last[access] = last;
    // Rules with several names also accept a backslash as separator.
    return last.isFree && !name.includes('\\') && !this.#names.mayHold(name, access) && !this.#patternsAt(forms, access);
  }

  #isFreeFolder(folder: string, access: FileAccess): boolean {
    const names = folder.split(/[\\/]/);
    if (names.some((name) => this.#names.mayHold(name, access))) return false;
    const inside = folder + path.sep;
    return !this.#patternsOf(inside).some(({ rule, pattern }) => isFor(rule, access) && pattern.holds(inside));
  }

  /** True when a rule for an absolute path is for this path, or matches it with `*`. */
  #patternsAt(forms: string, access: FileAccess): boolean {
    this.#byForm ??= byForm(this.#patterns);
    return [forms, forms + path.sep, '*'].some((key) =>
      this.#byForm?.get(key)?.some(({ rule, pattern }) => isFor(rule, access) && pattern.holds(forms)),
    );
  }

  /** Returns the rules that may apply to a path, in order. Indexed, because there are thousands of rules. */
  #patternsOf(forms: string): readonly RulePattern[] {
    this.#byForm ??= byForm(this.#patterns);
    const found = [...(this.#byForm.get('*') ?? [])];
    for (let end = forms.length; end > 0; end = forms.lastIndexOf(path.sep, end - 1)) {
      const way = forms.slice(0, end);
      found.push(...(this.#byForm.get(way) ?? []), ...(this.#byForm.get(way + path.sep) ?? []));
    }
    found.push(...(this.#byForm.get(path.parse(forms).root) ?? []));
    return found.sort((a, b) => a.index - b.index);
  }

  /** Returns a rule for a path below the folder. Ignores rules by name: a caller that walks the folder finds those files itself. */
  findBelow(folder: string): ControlFileRule | undefined {
    const above = new PathPattern(path.resolve(folder));
    return this.#patterns.find(
      ({ pattern }) =>
        pattern.forms.some((form) => above.holds(form)) && !this.#openPatterns.some((open) => open.holds(pattern.forms[0] ?? '')),
    )?.rule;
  }

  /** Throws POLICY_DENIED for a path that tools must not use. `shown`: the path in the message. */
  refuse(file: string, access: FileAccess, shown: string = file): void {
    const rule = this.find(file, access);
    if (rule !== undefined) throw controlFileError(rule, access, shown);
  }
}

/** Returns the error for a control file. It names the rule and the operator's options. */
export function controlFileError({ what, plugin }: ControlFileRule, access: FileAccess, shown: string): ToolkitError {
  const never = access === 'read' ? 'do not read it' : 'do not create, change, move or remove it';
  return new ToolkitError(
    'POLICY_DENIED',
    `"${excerpt(shown)}" is a control file (${what}, named by ${plugin}): tools ${never}. Tell the person you work for: the operator does it by hand, or lists it in "allowControlFiles" of confine-paths.`,
    { file: shown, controlFile: what },
  );
}

/** A folder in its comparable form. `isFree`: no rule applies to its entries, except by their own names. */
interface LastFolder {
  readonly folder: string;
  readonly isFree: boolean;
}

/** True when the rule applies to this access. Rules for readable files apply only to writing. */
function isFor({ read }: ControlFileRule, access: FileAccess): boolean {
  return access === 'write' || !read;
}

interface RulePattern {
  readonly rule: ControlFileRule;
  readonly pattern: PathPattern;
  /** Position among the rules. The first rule that applies is named in errors. */
  readonly index: number;
}

/** Indexes the rules by path; those with `*` are under `*`. */
function byForm(places: readonly RulePattern[]): ReadonlyMap<string, readonly RulePattern[]> {
  const found = new Map<string, RulePattern[]>();
  for (const one of places)
    for (const form of one.pattern.forms) {
      const key = form.includes('*') ? '*' : form;
      const known = found.get(key);
      if (known === undefined) found.set(key, [one]);
      else known.push(one);
    }
  return found;
}

/** A path pattern of a rule, compared with the path as written and with its real path. */
class PathPattern {
  readonly #pattern: string;
  #forms: readonly string[] | undefined;
  #tests: readonly ((form: string) => boolean)[] | undefined;

  constructor(written: string) {
    this.#pattern = written;
  }

  /** The path as written and its real path, in comparable form. Resolved once. */
  get forms(): readonly string[] {
    this.#forms ??= [...new Set([formsOf(this.#pattern), formsOf(realPathOf(this.#pattern))])];
    return this.#forms;
  }

  holds(form: string): boolean {
    this.#tests ??= this.forms.map(heldBy);
    return this.#tests.some((isHeld) => isHeld(form));
  }
}

/** Returns a test for this path and everything below it. Created once for each path, because whole trees are checked. */
function heldBy(own: string): (form: string) => boolean {
  if (own.includes('*')) {
    const pattern = new RegExp(`^${nameSource(own)}(?:$|[\\\\/])`);
    return (form) => pattern.test(form);
  }
  const folder = own.endsWith(path.sep) ? own : own + path.sep;
  return (form) => form === own || form.startsWith(folder);
}

/** Resolves the path. A missing or unreadable entry keeps its name below its resolved folder. */
function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realPathOf(parent), path.basename(file));
  }
}

/** Code points that some file systems ignore in names (HFS Plus). */
const ignored = /[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Returns the comparable form of a path. Upper then lower case, because `ſ` and `K` (Kelvin) have only one. */
function formsOf(text: string): string {
  const folded = normalizeText(normalizeText(text).replace(ignored, '').toUpperCase().toLowerCase());
  // Windows ignores trailing dots and blanks of a name, and a colon begins the name of a stream.
  return process.platform === 'win32' ? folded.replace(/(?<=[^\\:]):[^\\]*|[. ]+(?=\\|$)/g, '') : folded;
}

function isClosing({ pattern }: ControlFileRule): boolean {
  return !pattern.startsWith('!');
}

function patternOf(pattern: string): string {
  return pattern.startsWith('!') ? pattern.slice(1) : pattern;
}
