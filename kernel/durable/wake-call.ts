import type { WakingAnswer } from '../approval/approval-inbox.ts';
import { ToolkitError } from '../errors.ts';
import { type CallEngine, type CallName, type DurableCall, hasEnded } from './call-engine.ts';

/** `running`: the call is about to ask, so that it must be woken later. `none`: there is no such call, or it has ended. */
export type Woken = 'woken' | 'running' | 'none';

/** Continues a durable call whose question was decided. */
export async function wakeCall(engine: CallEngine, name: CallName, { record, ...answer }: WakingAnswer): Promise<Woken> {
  const call = await findCall(engine, name);
  if (call === undefined || hasEnded(call.status)) return 'none';
  if (call.question === undefined || (record !== undefined && call.question.record !== record)) return 'running';
  try {
    await engine.answer(call, { ...answer, digest: call.question.digest });
    return 'woken';
  } catch (error) {
    // Decided meanwhile, or it asks another question now.
    if (ToolkitError.is(error) && error.code === 'INVALID_PARAMETERS') return 'running';
    throw error;
  }
}

async function findCall(engine: CallEngine, name: CallName): Promise<DurableCall | undefined> {
  try {
    return await engine.get(name);
  } catch (error) {
    if (ToolkitError.is(error) && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
