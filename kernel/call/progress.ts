/** Progress of long work. `progress` grows; `total` is its end, if known; `message` is for people and may stand alone. */
export interface Progress {
  readonly progress?: number;
  readonly total?: number;
  readonly message?: string;
}

/** Returns the progress note with plain values, because masking searches only those. */
export function plainProgress({ progress, total, message }: Progress): Progress {
  return {
    ...(typeof progress === 'number' ? { progress } : {}),
    ...(typeof total === 'number' ? { total } : {}),
    ...(message === undefined ? {} : { message: String(message) }),
  };
}
