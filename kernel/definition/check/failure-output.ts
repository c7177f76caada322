import type { ErrorCode, ToolkitError } from '../../errors.ts';
import { checkValue } from '../../schema/check-value.ts';
import { placeholdersIn, renderValue } from '../schema/template.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';
import type { Reporter } from './reporter.ts';

/**
 * Error codes of failed work, which `failure_output` may replace. Refusals (policy, approval, missing credential), cancellations and installation
 * faults stay errors, so that the caller sees them.
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

/** Returns the definition's output for this error; undefined when the error must be thrown. */
export function failureOutput({ failure_output: template }: ToolDefinition, { code, message, details }: ToolkitError): unknown {
  // The work was carried out; only its result was unusable.
  return template === undefined || details['carriedOut'] === true || !toolFailures.has(code)
    ? undefined
    : render(template, { code, message });
}

/** Reports issues of a `failure_output`: an unknown placeholder, or a value that `output_schema` refuses. */
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
