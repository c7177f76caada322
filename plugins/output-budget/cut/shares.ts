/** Something that may take room between the least that it can be made to take and what it takes whole. */
export interface Claim {
  readonly least: number;
  readonly whole: number;
}

/**
 * Gives room to each: at least its `least` or what it was `given`, which must fit together, and of the rest the same to all, as far as they
 * want it. So what is small stays whole, and what is largest is cut first.
 */
export function shareRoom(claims: readonly Claim[], room: number, given: readonly number[] = claims.map(({ least }) => least)): number[] {
  const share = ({ whole }: Claim, index: number, level: number): number => Math.max(given[index] ?? 0, Math.min(whole, level));
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
