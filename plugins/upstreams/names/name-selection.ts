import { anyOf, matcher } from '../../shared/exposure/wildcard.ts';

/** The names that are taken. Names are those of the upstream; `*` stands for any characters. */
export interface NameSelection {
  /** @default all */
  readonly include?: readonly string[];
  /** Wins over `include`. @default none */
  readonly exclude?: readonly string[];
  /** Other names, without the prefix, by the whole name that the upstream gives. */
  readonly rename?: Readonly<Record<string, string>>;
}

export interface NameSelector {
  isIncluded(original: string): boolean;
  /** Returns the name that the configuration gives, without the prefix. */
  renamed(original: string): string | undefined;
  /** Returns the entries that fit none of the names, as `exclude: "name"`. */
  unused(originals: readonly string[]): readonly string[];
}

/** Creates the test of names for a selection. */
export function nameSelector({ include, exclude = [], rename = {} }: NameSelection): NameSelector {
  const isWanted = include === undefined ? () => true : anyOf(include);
  const isUnwanted = anyOf(exclude);
  return {
    isIncluded: (original) => isWanted(original) && !isUnwanted(original),
    renamed: (original) => (Object.hasOwn(rename, original) ? rename[original] : undefined),
    unused: (originals) => {
      const known = new Set(originals);
      const fits = (entry: string): boolean => (entry.includes('*') ? originals.some(matcher(entry)) : known.has(entry));
      const unusedIn = (key: string, entries: readonly string[]): string[] =>
        entries.filter((entry) => !fits(entry)).map((entry) => `${key}: ${JSON.stringify(entry)}`);
      const renamed = Object.keys(rename).filter((name) => !known.has(name));
      return [
        ...unusedIn('include', include ?? []),
        ...unusedIn('exclude', exclude),
        ...renamed.map((name) => `rename: ${JSON.stringify(name)}`),
      ];
    },
  };
}
