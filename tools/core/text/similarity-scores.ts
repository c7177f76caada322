/** Returns the Jaro similarity (1989) with Winkler's bonus (1990): a tenth of the rest for each of up to four equal first characters. */
export function jaroWinkler(left: readonly string[], right: readonly string[]): number {
  const jaro = jaroSimilarity(left, right);
  let prefix = 0;
  while (prefix < 4 && prefix < left.length && left[prefix] === right[prefix]) prefix += 1;
  return jaro + prefix * 0.1 * (1 - jaro);
}

function jaroSimilarity(left: readonly string[], right: readonly string[]): number {
  const reach = Math.max(0, Math.floor(Math.max(left.length, right.length) / 2) - 1);
  const isTaken = new Uint8Array(right.length);
  const matched: string[] = [];
  for (const [index, character] of left.entries()) {
    const end = Math.min(right.length, index + reach + 1);
    for (let other = Math.max(0, index - reach); other < end; other++) {
      if (isTaken[other] === 1 || right[other] !== character) continue;
      isTaken[other] = 1;
      matched.push(character);
      break;
    }
  }
  if (matched.length === 0) return 0;
  const inRight = right.filter((_, index) => isTaken[index] === 1);
  const transpositions = matched.filter((character, index) => character !== inRight[index]).length / 2;
  const count = matched.length;
  return (count / left.length + count / right.length + (count - transpositions) / count) / 3;
}

/** Returns the Dice (1945) and Sørensen (1948) coefficient: twice the shared items, divided by the items of both. Repeated items count each time. */
export function dice(left: readonly string[], right: readonly string[]): number {
  const [lefts, rights] = [countsOf(left), countsOf(right)];
  let shared = 0;
  for (const [item, count] of lefts) shared += Math.min(count, rights.get(item) ?? 0);
  return shared === 0 ? 0 : (2 * shared) / (left.length + right.length);
}

/** Returns the cosine of the angle between the vectors of item counts. */
export function cosine(left: readonly string[], right: readonly string[]): number {
  const [lefts, rights] = [countsOf(left), countsOf(right)];
  let product = 0;
  for (const [item, count] of lefts) product += count * (rights.get(item) ?? 0);
  return product === 0 ? 0 : Math.min(1, product / Math.sqrt(squares(lefts) * squares(rights)));
}

function countsOf(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function squares(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count * count;
  return sum;
}
