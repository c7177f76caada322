import Type from 'typebox';
import {
  after,
  apiVersion,
  type CallContext,
  checkValue,
  definePlugin,
  type Issue,
  type JsonValue,
  type Tool,
} from '../../kernel/index.ts';
import { build } from '../shared/project/build.ts';
import { answerDetails } from './answer-details.ts';
import { misfitError, misfitText } from './misfit-error.ts';

/** `error`: a result that does not fit `output_schema` is OUTPUT_INVALID. `warn`: the log says so, and the caller gets it, as text alone over MCP. */
const OutputCheckSchema = Type.Enum(['error', 'warn']);

/** After what redacts and trims, and before what shortens for a model: the error has the answer, as the caller would have had it. */
const late = 900;

/**
 * Refuses a result that does not fit the tool's `output_schema`. It is checked in the order of the configuration; the refusal comes after the other
 * plugins have had the result, because it has the answer: OUTPUT_INVALID with `issues` and `output`, or `outputStart` of a large one. That of a tool
 * which may change something is told as done (`carriedOut: true`). `output_check: warn` in a definition lets the result through.
 */
export const validateOutput = definePlugin({
  name: 'validate-output',
  apiVersion,
  apply(kernel) {
    kernel.extend.definitionKey('output_schema');
    const check = kernel.extend.definitionKey('output_check', OutputCheckSchema, { fingerprint: build });
    const misfits = new WeakMap<CallContext, readonly Issue[]>();
    const appliesTo = (tool: Tool): boolean => tool.outputSchema !== undefined;
    kernel.hooks.validateOutput.tap({ name: 'validate-output', appliesTo }, (result, context) => {
      const { tool } = context;
      const issues = tool.outputSchema === undefined ? [] : checkValue(tool.outputSchema, result.output);
      if (issues.length === 0) return undefined;
      if (check.of(tool) !== 'warn') misfits.set(context, issues);
      else context.logger.warn(`the output of "${tool.name}" does not match its output_schema: ${misfitText(issues)}`);
      return undefined;
    });
    kernel.hooks.validateOutput.tapPromise(
      { name: 'validate-output-refusal', appliesTo: (tool) => appliesTo(tool) && check.of(tool) !== 'warn', stage: late },
      (result, context) => {
        const issues = misfits.get(context);
        if (issues === undefined) return undefined;
        return after(answerDetails(result.output as JsonValue, context), (answer) => {
          throw misfitError(issues, answer, context);
        });
      },
    );
  },
});
