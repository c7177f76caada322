/** A claim to room: the smallest size of a part, and its whole size. */
export interface Claim {
  readonly least: number;
  readonly whole: number;
}

/**
 * Divides room among claims. Each gets at least its `least`, or its `given` room, which must fit together. The rest is divided
 * equally, up to the whole size of each. So small parts stay whole, and the largest are cut first.
 */
export function shareRoom(claims: readonly Claim[], room: number, granted: readonly number[] = claims.map(({ least }) => least)): number[] {
  const share = ({ whole }: Claim, index: number, level: number): number => Math.max(granted[index] ?? 0, Math.min(whole, level));
  const sum = (level: number): number => claims.reduce((total, claim, index) => total + share(claim, index, level), 0);
  // The highest level that fits.
  let low = 0;
  for (let high = room; low < high; ) {
    const middle = Math.ceil((low + high) / 2);
    if (sum(middle) <= room) low = middle;
    else high = middle - 1;
  }
  return claims.map((claim, index) => share(claim, index, low));
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
