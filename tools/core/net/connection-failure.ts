/** Why there is no connection, the most telling first. */
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

/** Of what `connectFirst` rejects with: the most telling of what the addresses said. */
export function connectionFailure(error: unknown): ConnectionFailure {
  const errors = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [error];
  const failures = errors.map((each) => known[(each as NodeJS.ErrnoException).code ?? ''] ?? 'failed');
  return connectionFailures.find((failure) => failures.includes(failure)) ?? 'failed';
}
