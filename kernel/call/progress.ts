import type { Progress } from '../hooks.ts';

/** Returns the progress note with plain values, because masking searches only those. */
export function plainProgress({ progress, total, message }: Progress): Progress {
  return {
    ...(typeof progress === 'number' ? { progress } : {}),
    ...(typeof total === 'number' ? { total } : {}),
    ...(message === undefined ? {} : { message: String(message) }),
  };
}
