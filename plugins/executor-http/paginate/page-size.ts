/** The page size that brings so many items from an offset on in the fewest requests, and of these with the fewest items too many. */
export function sizeFor(offset: number, wanted: number, maximum: number): number {
  let best = { size: 1, requests: Number.POSITIVE_INFINITY };
  for (let size = 1; size <= Math.min(maximum, offset + wanted); size++) {
    const requests = Math.ceil(((offset % size) + wanted) / size);
    if (requests < best.requests) best = { size, requests };
  }
  return best.size;
}

/** The largest size of which a page begins exactly at the offset. */
export function sizeEndingAt(offset: number, maximum: number): number {
  for (let size = Math.min(maximum, offset); size > 1; size--) if (offset % size === 0) return size;
  return 1;
}
