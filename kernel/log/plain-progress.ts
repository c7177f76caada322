import type { Progress } from '../hooks.ts';

/** The members of a progress note as plain values, because only those are searched for secrets. */
export function plainProgress({ progress, total, message }: Progress): Progress {
  return {
    ...(typeof progress === 'number' ? { progress } : {}),
    ...(typeof total === 'number' ? { total } : {}),
    ...(message === undefined ? {} : { message: String(message) }),
  };
}
