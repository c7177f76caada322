import { type Liveness, ToolkitError } from '../../../kernel/index.ts';

/** Maximum wait until other processes see this one, in milliseconds. */
const timeoutMs = 5000;

/** Enters, with a limit of five seconds. Rejects with STATE_UNAVAILABLE after it, and with the reason of `cancelled`. Needs a `leave`. */
export async function enterWithin(member: Liveness, cancelled: AbortSignal): Promise<void> {
  cancelled.throwIfAborted();
  let stop: (() => void) | undefined;
  const given = new Promise<never>((_resolve, reject) => {
    const leave = (): void => reject(cancelled.reason);
    const timer = setTimeout(() => reject(unseenError()), timeoutMs);
    cancelled.addEventListener('abort', leave, { once: true });
    stop = () => {
      clearTimeout(timer);
      cancelled.removeEventListener('abort', leave);
    };
  });
  const entering = member.enter();
  try {
    await Promise.race([entering, given]);
  } catch (error) {
    entering.then(
      () => member.leave(),
      () => {},
    );
    throw error;
  } finally {
    stop?.();
  }
}

function unseenError(): ToolkitError {
  return new ToolkitError(
    'STATE_UNAVAILABLE',
    'The call was not run: other processes cannot see that this one lives, because its connection to the store is broken. Call again later.',
  );
}
