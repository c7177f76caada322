import { type CharacterSet, type PatternNode, parsePattern } from './parse-pattern.ts';

/** Maximum ways in which bounded repetitions may share a text, multiplied. */
const maxWays = 10_000;

/** Repetitions beyond this number count as unbounded. */
const unbounded = 1000;

/**
 * True for a pattern that may take very long for some text: its repetitions can share that text in many ways, which V8 tries one after another. Strict: some
 * quick patterns count as slow. The author of a document chooses patterns, and a service or a model the text.
 */
export function isSlowPattern(pattern: string): boolean {
  const node = parsePattern(pattern);
  if (node === undefined) return true;
  const count = new WayCount();
  count.visit(node, 0n, false);
  return count.isEndless || count.ways > maxWays || count.overlaps > 1 || isSlowSearch(node);
}

/** True for a pattern that is tried at each place of a text, and may read far from each before it fails. */
function isSlowSearch(node: PatternNode): boolean {
  if (node.kind === 'choice') return node.parts.some(isSlowSearch);
  if (node.kind !== 'sequence') return false;
  if (node.parts[0]?.kind === 'start') return false;
  const first = node.parts.findIndex(isLong);
  return first !== -1 && node.parts.slice(first + 1).some((part) => part.kind === 'end' || !isNullable(part));
}

/** True for a part that may read any number of characters. */
function isLong(node: PatternNode): boolean {
  if (node.kind === 'repeat') return node.max > unbounded || isLong(node.part);
  if (node.kind === 'look') return isLong(node.part);
  return (node.kind === 'sequence' || node.kind === 'choice') && node.parts.some(isLong);
}

class WayCount {
  /** Unbounded repetitions that may end at several places. */
  overlaps = 0;
  ways = 1;
  /** True when a repetition repeats a part that can be read in several ways. */
  isEndless = false;

  /** `follow`: characters that may stand behind the part. `isInside`: it is repeated. */
  visit(node: PatternNode, follow: CharacterSet, isInside: boolean): void {
    if (node.kind === 'look') this.visit(node.part, 0n, isInside);
    if (node.kind === 'choice') {
      if (isInside && hasOverlap(node.parts.map(firstOf))) this.isEndless = true;
      for (const part of node.parts) this.visit(part, follow, isInside);
    }
    if (node.kind === 'sequence') {
      let behind = follow;
      for (const part of [...node.parts].reverse()) {
        this.visit(part, behind, isInside);
        behind = firstOf(part) | (isNullable(part) ? behind : 0n);
      }
    }
    if (node.kind === 'repeat') this.#repeat(node, follow, isInside);
  }

  #repeat({ part, min, max }: PatternNode & { readonly kind: 'repeat' }, follow: CharacterSet, isInside: boolean): void {
    const first = firstOf(part);
    const isMany = max > 1;
    if (min !== max && (first & follow) !== 0n) {
      if (isInside) this.isEndless = true;
      else if (max > unbounded) this.overlaps++;
      else this.ways *= max - min + 1;
    }
    if (isMany && min !== max && isNullable(part)) this.isEndless = true;
    this.visit(part, isMany ? first | follow : follow, isInside || isMany);
  }
}

/** True when two of the sets have a character in common. */
function hasOverlap(sets: readonly CharacterSet[]): boolean {
  let seen = 0n;
  for (const set of sets) {
    if ((seen & set) !== 0n) return true;
    seen |= set;
  }
  return false;
}

/** Returns the characters with which a part may begin. */
function firstOf(node: PatternNode): CharacterSet {
  switch (node.kind) {
    case 'set':
      return node.set;
    case 'choice':
      return node.parts.reduce((set, part) => set | firstOf(part), 0n);
    case 'repeat':
      return node.max === 0 ? 0n : firstOf(node.part);
    case 'sequence': {
      let set = 0n;
      for (const part of node.parts) {
        set |= firstOf(part);
        if (!isNullable(part)) break;
      }
      return set;
    }
    default:
      return 0n;
  }
}

function isNullable(node: PatternNode): boolean {
  switch (node.kind) {
    case 'set':
      return false;
    case 'choice':
      return node.parts.some(isNullable);
    case 'sequence':
      return node.parts.every(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.part);
    default:
      return true;
  }
}
