import { until as untilAnswer } from '../../../support/until.ts';

/** Waits until something is so; for what goes on after a call has been cancelled. The time limit of the test ends it. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  await untilAnswer(async () => (await isSo()) || undefined);
}
