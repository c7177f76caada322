import type { Tool } from '../../../../kernel/index.ts';
import { reportRefusals } from '../../../shared/exposure/profiles/refusals.ts';
import { parameterPointer } from './parameter-pointer.ts';
import type { ReportRule } from './rules.ts';

/** Minimum length in characters. */
const shortestDescription = 20;

/** Warns about definitions that make it hard for a model to choose a tool or its parameters, or that a model's API refuses. */
export function checkAdvice(tool: Tool, report: ReportRule): void {
  const { definition, description, parameters, outputSchema } = tool;
  const { length } = [...description.trim()];
  if (length < shortestDescription)
    report(
      'short-description',
      '/description',
      `has ${length} characters. Say in at least ${shortestDescription} what the tool does and when to choose it`,
    );
  for (const [name, { description: text = '' }] of Object.entries(parameters)) {
    const place = parameterPointer(definition, name);
    if (text.trim() === '')
      report('missing-parameter-description', place, 'has no description. Say what the value is for, its format, its unit and its limits');
  }
  if (outputSchema === undefined)
    report('missing-output-schema', '/output_schema', 'is missing. Describe the result with a JSON Schema; results are checked against it');
  if ((definition.examples ?? []).length === 0)
    report('missing-example', '/examples', 'are missing. Show one call: examples: [{ description: …, parameters: {…} }]');
  reportRefusals(tool, (pointer, message) => report('refused-schema', pointer, message));
}
