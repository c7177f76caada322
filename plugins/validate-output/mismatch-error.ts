import { type CallContext, type Issue, ToolkitError } from '../../kernel/index.ts';
import type { AnswerDetails } from './answer-details.ts';

/** Maximum number of issues in a message. */
const maxNamed = 5;

const isMissing = ({ message }: Issue): boolean => message === 'is required';

/** Returns the error of an answer that does not match its `output_schema`. Its advice is for the calling model, or for the host's author. */
export function mismatchError(issues: readonly Issue[], answer: AnswerDetails, { tool, origin }: CallContext): ToolkitError {
  const isModels = origin === 'model';
  const hasEffect = tool.annotations.readOnlyHint !== true;
  const text = hasEffect
    ? describeAnswer(issues, tool.name)
    : `The output of "${tool.name}" does not match its output_schema: ${describeMismatch(issues)}.`;
  const advice = isModels
    ? hasEffect
      ? ''
      : ' Calling it again gives the same: use what it gave, if that will do.'
    : ' Correct the tool or its output_schema.';
  return new ToolkitError('OUTPUT_INVALID', `${text}${advice}`, {
    issues: issues.map(({ path, message }) => ({ path, message })),
    ...answer,
  });
}

/** Names the first issues: `id is required; tags[1] expected string, received number 2`. */
export function describeMismatch(issues: readonly Issue[]): string {
  const shown = issues.slice(0, maxNamed).map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  return `${shown.join('; ')}${moreText(issues)}`;
}

/** Describes the issues of a call that was carried out: that it was done matters more than its answer. */
function describeAnswer(issues: readonly Issue[], name: string): string {
  if (!issues.every(isMissing)) return `Its answer does not match the output_schema of "${name}": ${describeMismatch(issues)}.`;
  const named = issues.slice(0, maxNamed).map(({ path }) => `\`${path}\``);
  return `Its answer misses ${named.join(', ')}${moreText(issues)}, which the output_schema of "${name}" requires.`;
}

function moreText({ length }: readonly Issue[]): string {
  return length > maxNamed ? ` (and ${length - maxNamed} more)` : '';
}
