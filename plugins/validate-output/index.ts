import { apiVersion, checkValue, definePlugin, ToolkitError } from '../../kernel/index.ts';

/** Refuses a result that does not fit the tool's `output_schema`. */
export const validateOutput = definePlugin({
  name: 'validate-output',
  apiVersion,
  apply(kernel) {
    kernel.extend.definitionKey('output_schema');
    kernel.hooks.validateOutput.tap(
      { name: 'validate-output', appliesTo: (tool) => tool.outputSchema !== undefined },
      (result, { tool }) => {
        if (tool.outputSchema === undefined) return undefined;
        const issues = checkValue(tool.outputSchema, result.output);
        if (issues.length === 0) return undefined;
        const shown = issues.slice(0, 5).map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
        const more = issues.length > shown.length ? ` (and ${issues.length - shown.length} more)` : '';
        throw new ToolkitError(
          'OUTPUT_INVALID',
          `The output of "${tool.name}" does not match its output_schema: ${shown.join('; ')}${more}. Correct the tool or its output_schema.`,
          {
            issues: issues.map(({ path, message }) => ({ path, message })),
          },
        );
      },
    );
  },
});
