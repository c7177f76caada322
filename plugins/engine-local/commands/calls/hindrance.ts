import { type DurableCall, hasEnded, type Registry } from '../../../../kernel/index.ts';

/** Reason for which a call may not go on by itself. `unknown tool`: this configuration has no such tool. `stalled process`: its process stands still. */
export type Hindrance = 'unknown tool' | 'stalled process';

/** Texts for the terminal. */
export const hindranceTexts: Readonly<Record<Hindrance, string>> = {
  'unknown tool': 'no such tool here: only a worker that has it runs the call',
  'stalled process': 'its process stands still and keeps the call: let it go on, or end it',
};

/** Returns why a call may not go on. Undefined for one that has ended. */
export function hindranceOf(
  { status, tool, isStalled }: Pick<DurableCall, 'status' | 'tool' | 'isStalled'>,
  { tools }: Pick<Registry, 'tools'>,
): Hindrance | undefined {
  if (hasEnded(status)) return undefined;
  if (isStalled === true) return 'stalled process';
  return status === 'running' || tools.has(tool) ? undefined : 'unknown tool';
}

/** Says how many calls a later version of this program wrote. */
export function laterText(count: number): string {
  const calls = count === 1 ? '1 call is' : `${count} calls are`;
  return `${calls} not listed, because a later version of this program wrote them. Only that version can show and run them: install it, or run its worker.`;
}
