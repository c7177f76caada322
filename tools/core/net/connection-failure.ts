/** Reasons for a failed connection, the most specific first. */
export const connectionFailures = ['refused', 'timeout', 'unreachable', 'failed'] as const;

export type ConnectionFailure = (typeof connectionFailures)[number];

const known: Readonly<Record<string, ConnectionFailure>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'refused',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EAFNOSUPPORT: 'unreachable',
};

/** Returns the most specific reason in an error of `connectFirst`. */
export function connectionFailure(error: unknown): ConnectionFailure {
  const errors = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [error];
  const failures = errors.map((each) => known[(each as NodeJS.ErrnoException).code ?? ''] ?? 'failed');
  return connectionFailures.find((failure) => failures.includes(failure)) ?? 'failed';
}
