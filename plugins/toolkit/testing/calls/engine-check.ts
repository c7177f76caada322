import { strict as assert } from 'node:assert';
import { type CallEngine, type CallName, type DurableRequest, ToolkitError } from '../../../../kernel/index.ts';
import type { Script, ScriptedHost } from './scripted-host.ts';

/** The engines of two processes, and the host that runs their calls. */
export interface Subject {
  readonly one: CallEngine;
  readonly other: CallEngine;
  /** Runs the calls of both engines. */
  readonly host: ScriptedHost;
}

/** One check. `open` opens the engines with a script of what calls do. */
export type Check = (open: (script: Script) => Promise<Subject>) => Promise<void>;

/** Numbers for calls, more than run at the same time. */
export const many = Array.from({ length: 40 }, (_, index) => index);

/** Returns a request by `ada` to send a mail. */
export function request(id: string, more: Partial<DurableRequest> = {}): DurableRequest {
  return { id, caller: 'ada', tool: 'mail_send', parameters: { text: 'hello' }, origin: 'host', ...more };
}

export const nameOf = (id: string, caller = 'ada'): CallName => ({ id, caller });

/** Returns the ToolkitError with which the work rejects. Fails for another end. */
export async function expectRefusal(work: Promise<unknown>, code: string): Promise<ToolkitError> {
  const error = await work.then(
    () => assert.fail(`expected ${code}, and nothing was refused`),
    (thrown: unknown) => thrown,
  );
  assert.ok(ToolkitError.is(error), `expected a ToolkitError, received ${error}`);
  assert.equal(error.code, code);
  return error;
}
