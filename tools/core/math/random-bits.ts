import { randomBytes } from 'node:crypto';

/** Returns random bytes, like `randomBytes` of node:crypto. */
export type ByteSource = (count: number) => Buffer;

/**
 * Returns a whole number from 0 to below `range`, which is at most 2^64, all with the same chance. Of the 2^64 numbers of eight bytes, the last
 * few that do not divide evenly are drawn again.
 */
export function drawBelow(range: bigint, source: ByteSource = randomBytes): bigint {
  const even = 2n ** 64n - (2n ** 64n % range);
  for (;;) {
    const drawn = source(8).readBigUInt64BE();
    if (drawn < even) return drawn % range;
  }
}

/** Returns a multiple of 2^-53 from 0 to below 1. */
export function drawFraction(source: ByteSource = randomBytes): number {
  return Number(source(8).readBigUInt64BE() >> 11n) / 2 ** 53;
}
