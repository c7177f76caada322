/** Largest priority number of BullMQ, which runs last. */
export const maxPriority = 2 ** 21;

/** Times from here on have a number of their own, until 2045. */
const beginsAt = Date.UTC(2026, 0, 1);

/** Time after which a call goes before later ones of a caller with half as many unfinished calls, in milliseconds. */
const stepMs = 5 * 60 * 1000;

/**
 * Returns the priority of a call that may run from `runAt` on (epoch ms): the lower, the sooner. A caller with twice as many unfinished calls
 * (`openCalls`) comes a step later, and each five minutes are a step, too. So a caller with few calls goes first, and later calls overtake a call
 * of a caller with 10,000 unfinished ones for 70 minutes at most.
 */
export function priorityOf(runAt: number, openCalls: number): number {
  const steps = Math.floor((runAt - beginsAt) / stepMs);
  const rank = 32 - Math.clz32(openCalls);
  return Math.min(Math.max(steps, 0) + rank, maxPriority);
}
