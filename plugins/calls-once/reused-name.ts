import { type Call, excerpt, ToolkitError } from '../../kernel/index.ts';
import type { ReadIntent } from './intent.ts';

/** Refuses a name that is used for another tool or other parameters: the stored result would be wrong. */
export function refuseReusedName({ tool: { name: tool }, once = '' }: Call, parametersDigest: string, found: ReadIntent | undefined): void {
  if (found === undefined) return;
  const { attempt } = found.intent;
  if (attempt.tool === tool && attempt.parameters === parametersDigest) return;
  const other = attempt.tool === tool ? 'with other parameters' : `of "${attempt.tool}"`;
  const message = `"${tool}" was called under the name ${JSON.stringify(excerpt(once))}, which is that of a call ${other}: "once: x" and a durable call with the id "x" of one caller are the same call. Give each call a name of its own.`;
  throw new ToolkitError('INVALID_PARAMETERS', message, { tool, isReusedName: true });
}
