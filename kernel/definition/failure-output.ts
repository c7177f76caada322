import type { ErrorCode, ToolkitError } from '../errors.ts';
import { checkValue } from '../schema/check-value.ts';
import type { Reporter } from './reporter.ts';
import { placeholdersIn, renderValue } from './template.ts';
import type { ToolDefinition } from './tool-definition.ts';

/**
 * Failures of the work itself. Refusals (a policy, a missing approval, a missing credential), cancellations and faults of the installation
 * stay errors: whoever made the call has to see them as such.
 */
const toolFailures: ReadonlySet<ErrorCode> = new Set([
  'INVALID_PARAMETERS',
  'EXECUTION_FAILED',
  'AUTH_FAILED',
  'INSUFFICIENT_SCOPE',
  'BAD_REQUEST',
  'NOT_FOUND',
  'RATE_LIMITED',
  'UPSTREAM_UNAVAILABLE',
  'OUTBOUND_BLOCKED',
  'TIMEOUT',
  'OUTPUT_INVALID',
  'OUTPUT_TOO_LARGE',
  'DEPENDENCY_MISSING',
]);

/** What the definition says to answer with in place of this error; undefined when the error is to be thrown. */
export function failureOutput({ failure_output: template }: ToolDefinition, { code, message, details }: ToolkitError): unknown {
  // Done is not failed, whatever became of the answer.
  return template === undefined || details['carriedOut'] === true || !toolFailures.has(code)
    ? undefined
    : render(template, { code, message });
}

/** Says what is wrong with the `failure_output` of a definition: an unknown placeholder, or a value that `output_schema` refuses. */
export function reportFailureOutput({ failure_output: template, output_schema: schema }: ToolDefinition, report: Reporter): void {
  if (template === undefined) return;
  for (const name of placeholdersIn(template))
    if (name !== 'code' && name !== 'message')
      report.error('/failure_output', `uses the placeholder {${name}}. Expected {code} and {message}, which stand for those of the error`);
  const sample = render(template, { code: 'EXECUTION_FAILED', message: 'The tool failed.' });
  for (const { path, message } of schema === undefined ? [] : checkValue(schema, sample))
    report.error('/failure_output', `does not match output_schema: ${path === '' ? '' : `${path} `}${message}`);
}

function render(template: unknown, values: { readonly code: string; readonly message: string }): unknown {
  return renderValue(template, (name) => (name === 'code' || name === 'message' ? values[name] : undefined));
}
