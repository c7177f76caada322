import { ToolkitError } from '../errors.ts';

/** The owner of the exhausted limit, by the error code of the operating system. */
const exhausted: Readonly<Record<string, string>> = { EMFILE: 'this process', ENFILE: 'this machine' };

/** Returns the error for a failure that was caused by a lack of file descriptors; undefined for another failure. */
export function outOfDescriptorsError(error: unknown): ToolkitError | undefined {
  for (let [at, depth] = [error, 0]; at instanceof Error && depth < 10; [at, depth] = [at.cause, depth + 1]) {
    const { code = '' } = at as { readonly code?: string };
    const whose = Object.hasOwn(exhausted, code) ? exhausted[code] : undefined;
    if (whose === undefined) continue;
    const message = `The file descriptors of ${whose} are used up (${code}): it cannot open another file, connection or program.`;
    const advice = 'Raise their number before the start (ulimit -n 4096; LimitNOFILE= of a service), or let less run at once.';
    return new ToolkitError('EXECUTION_FAILED', `${message} ${advice}`, { errno: code, retryable: true }, { cause: error });
  }
  return undefined;
}
