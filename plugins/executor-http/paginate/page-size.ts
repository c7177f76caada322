/**
 * Returns the page size that reads `wanted` items from an offset in the fewest requests, and among equals with the fewest
 * surplus items.
 */
export function bestPageSize(offset: number, wanted: number, maximum: number): number {
  let best = { size: 1, requests: Number.POSITIVE_INFINITY };
  for (let size = 1; size <= Math.min(maximum, offset + wanted); size++) {
    const requests = Math.ceil(((offset % size) + wanted) / size);
    if (requests < best.requests) best = { size, requests };
  }
  return best.size;
}

/** Returns the largest page size with a page that begins exactly at the offset. */
export function largestAlignedSize(offset: number, maximum: number): number {
  for (let size = Math.min(maximum, offset); size > 1; size--) if (offset % size === 0) return size;
  return 1;
}
