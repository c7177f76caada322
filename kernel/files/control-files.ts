import { realpathSync } from 'node:fs';
import path from 'node:path';
import { excerpt, ToolkitError } from '../errors.ts';
import { normalizeText } from '../schema/normalize-text.ts';
import { NameRules, nameSource } from './name-rules.ts';

/** What tools do to a file. */
export type FileAccess = 'read' | 'write';

export interface ControlFilesOptions {
  /** What they are, for the message, such as `the audit trail`. */
  readonly what: string;
  /** Whether tools may read them: false for those that hold secrets. @default true */
  readonly read?: boolean;
}

/** Control files that a plugin has named. JSON, so that a worker thread can have it. */
export interface ControlFileRule {
  /**
   * An absolute path means that file, or that folder with everything in it; a name means every file and folder of that name, at any depth,
   * with everything in it; several names with `/` between them mean each below the one before, where `**` stands for any folders. `*` stands
   * for any characters of a name, `[0-9a-f]` in a name for one hexadecimal digit. With `!` in front of a path or a name: none, whatever other
   * rules say.
   */
  readonly pattern: string;
  readonly what: string;
  readonly read: boolean;
  /** The plugin that named them. */
  readonly plugin: string;
}

/**
 * Control files are what the service reads to decide what it does or whom it trusts: definitions, code, configuration, policy, keys, trail.
 * Tools do not create, change, move or remove them, whether they exist yet or not; those that hold secrets they do not read either. Names
 * compare as the most tolerant file system would: without case, in one Unicode form.
 */
export class ControlFiles {
  readonly rules: readonly ControlFileRule[];
  readonly #names: NameRules<ControlFileRule>;
  readonly #patterns: readonly RulePattern[];
  readonly #openPatterns: readonly PathPattern[];
  #byForm: ReadonlyMap<string, readonly RulePattern[]> | undefined;
  /** The folder that was asked about last for each access, in its form. */
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

  /** The rule under which an absolute path falls; undefined when tools may have it. Give the real path, and what it leads to, each. */
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

  /** A folder that tools may read, and which holds, by its name, what they may not: `.git` with its objects. */
  hidesBelow(folder: string): boolean {
    return this.#names.isHead(formsOf(path.basename(path.resolve(folder))));
  }

  /** Tells quickly that no rule holds a path: whole trees are asked about, folder by folder, and for few of their names there is a rule. */
  #isFree(forms: string, access: FileAccess): boolean {
    const end = forms.lastIndexOf(path.sep);
    const [folder, name] = [forms.slice(0, end), forms.slice(end + 1)];
    const last = this.#last[access]?.folder === folder ? this.#last[access] : { folder, isFree: this.#isFreeFolder(folder, access) };
    this.#last[access] = last;
    // Rules of several names take a backslash for a separator as well.
    return last.isFree && !name.includes('\\') && !this.#names.mayHold(name, access) && !this.#patternsAt(forms, access);
  }

  #isFreeFolder(folder: string, access: FileAccess): boolean {
    const names = folder.split(/[\\/]/);
    if (names.some((name) => this.#names.mayHold(name, access))) return false;
    const inside = folder + path.sep;
    return !this.#patternsOf(inside).some(({ rule, pattern }) => isFor(rule, access) && pattern.holds(inside));
  }

  /** Tells whether a rule names the very place, or may do so with `*`. */
  #patternsAt(forms: string, access: FileAccess): boolean {
    this.#byForm ??= byForm(this.#patterns);
    return [forms, forms + path.sep, '*'].some((key) =>
      this.#byForm?.get(key)?.some(({ rule, pattern }) => isFor(rule, access) && pattern.holds(forms)),
    );
  }

  /** Those that may hold a path, in their order: thousands of places are named, and few lie on the way to it. */
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

  /** A rule that names something below a folder, by its place. What is there by name, whoever walks through the folder sees. */
  findBelow(folder: string): ControlFileRule | undefined {
    const above = new PathPattern(path.resolve(folder));
    return this.#patterns.find(
      ({ pattern }) =>
        pattern.forms.some((form) => above.holds(form)) && !this.#openPatterns.some((open) => open.holds(pattern.forms[0] ?? '')),
    )?.rule;
  }

  /** Throws POLICY_DENIED for a path that tools must not have. `shown`: how the message calls it. */
  refuse(file: string, access: FileAccess, shown: string = file): void {
    const rule = this.find(file, access);
    if (rule !== undefined) throw controlFileError(rule, access, shown);
  }
}

/** Says which rule holds a file, and who can do something about it. */
export function controlFileError({ what, plugin }: ControlFileRule, access: FileAccess, shown: string): ToolkitError {
  const never = access === 'read' ? 'do not read it' : 'do not create, change, move or remove it';
  return new ToolkitError(
    'POLICY_DENIED',
    `"${excerpt(shown)}" is a control file (${what}, named by ${plugin}): tools ${never}. Tell the person you work for: the operator does it by hand, or lists it in "allowControlFiles" of confine-paths.`,
    { file: shown, controlFile: what },
  );
}

/** A folder in its form. `isFree`: no rule holds what is in it, but by the name of that itself. */
interface LastFolder {
  readonly folder: string;
  readonly isFree: boolean;
}

/** Rules whose files may be read hold them for writing only. */
function isFor({ read }: ControlFileRule, access: FileAccess): boolean {
  return access === 'write' || !read;
}

interface RulePattern {
  readonly rule: ControlFileRule;
  readonly pattern: PathPattern;
  /** Among the rules: the first one that holds a path is named. */
  readonly index: number;
}

/** By the path of a place; those with `*` under that. */
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

/** A file or folder, by each path that leads to it. */
class PathPattern {
  readonly #pattern: string;
  #forms: readonly string[] | undefined;
  #tests: readonly ((form: string) => boolean)[] | undefined;

  constructor(written: string) {
    this.#pattern = written;
  }

  /** As it is written, and where that really is. Looked up once. */
  get forms(): readonly string[] {
    this.#forms ??= [...new Set([formsOf(this.#pattern), formsOf(realPathOf(this.#pattern))])];
    return this.#forms;
  }

  holds(form: string): boolean {
    this.#tests ??= this.forms.map(heldBy);
    return this.#tests.some((isHeld) => isHeld(form));
  }
}

/** Tells what is at a place or below it. Made once a place, because whole trees are asked about. */
function heldBy(own: string): (form: string) => boolean {
  if (own.includes('*')) {
    const pattern = new RegExp(`^${nameSource(own)}(?:$|[\\\\/])`);
    return (form) => pattern.test(form);
  }
  const folder = own.endsWith(path.sep) ? own : own + path.sep;
  return (form) => form === own || form.startsWith(folder);
}

/** What is not there, or may not be looked at, keeps its name in the folder that is there. */
function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realPathOf(parent), path.basename(file));
  }
}

/** Code points that some file systems pass over in names (HFS Plus). */
const ignored = /[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Both cases in turn, because `ſ` and `K` (Kelvin) have only one. */
function formsOf(text: string): string {
  const folded = normalizeText(normalizeText(text).replace(ignored, '').toUpperCase().toLowerCase());
  // Windows passes over dots and blanks at the end of a name, and takes what stands behind a colon for a stream of the file.
  return process.platform === 'win32' ? folded.replace(/(?<=[^\\:]):[^\\]*|[. ]+(?=\\|$)/g, '') : folded;
}

function isClosing({ pattern }: ControlFileRule): boolean {
  return !pattern.startsWith('!');
}

function patternOf(pattern: string): string {
  return pattern.startsWith('!') ? pattern.slice(1) : pattern;
}
