import { excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';

interface ListParameters {
  readonly filter?: string;
  readonly sort: 'cpu' | 'memory';
  readonly limit: number;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  /** Percent of one processor; null where the system does not report it. */
  readonly cpu: number | null;
  /** Percent of main memory; null where the system does not report it. */
  readonly memory: number | null;
}

/**
 * Lists the processes of the machine, without members that may hold a secret. Throws DEPENDENCY_MISSING without the program
 * `ps`.
 */
export async function listProcesses({ filter = '', sort, limit }: ListParameters): Promise<{ processes: Process[]; total: number }> {
  const { default: psList } = await import('ps-list');
  const found = await psList().catch((error: unknown) => {
    throw listError(error);
  });
  const wanted = filter.toLowerCase();
  // Copies member by member: the list also has the arguments.
  const processes = found
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .map(({ pid, ppid, name, cpu = null, memory = null }): Process => ({ pid, parent: ppid, name, cpu, memory }))
    .sort((a, b) => (b[sort] ?? 0) - (a[sort] ?? 0) || a.pid - b.pid);
  return { processes: processes.slice(0, limit), total: processes.length };
}

function listError(error: unknown): ToolkitError {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT')
    return new ToolkitError('EXECUTION_FAILED', `The processes cannot be listed: ${excerpt(messageOf(error))}.`, {}, { cause: error });
  const message = `The program "${path ?? 'ps'}" was not found, and without it processes cannot be listed. Install it (Debian and Ubuntu: apt-get install procps; Alpine: apk add procps).`;
  return new ToolkitError('DEPENDENCY_MISSING', message, {}, { cause: error });
}
