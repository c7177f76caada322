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
import { outputCheckOf } from '../shared/exposure/tool-output.ts';
import { build } from '../shared/project/build.ts';
import { answerDetails } from './answer-details.ts';
import { describeMismatch, mismatchError } from './mismatch-error.ts';

/**
 * Handling of a result that does not match `output_schema`. `error`: OUTPUT_INVALID. `warn`: it is logged, and the caller gets the result, over MCP
 * as text only. `off`: results are not checked; over MCP they are text only.
 * @default `error`; `warn` for a tool of a source
 */
const OutputCheckSchema = Type.Enum(['error', 'warn', 'off']);

/** Stage after plugins that redact or trim, and before those that shorten for a model: the error contains the answer that the caller would have got. */
const beforeShortening = 900;

/**
 * Refuses a result that does not match the tool's `output_schema`. The check runs in the order of the configuration; the refusal comes after the
 * other plugins, because it contains the answer: OUTPUT_INVALID with `issues` and `output`, or `outputStart` of a large one. For a tool that may
 * change something, the error reports the call as done (`carriedOut: true`). `output_check: warn` in a definition lets the result through, and `off` does not check it. Tools
 * of sources say `warn` unless their definition says otherwise.
 */
export const validateOutput = definePlugin({
  name: 'validate-output',
  apiVersion,
  apply(kernel) {
    kernel.extend.definitionKey('output_schema');
    kernel.extend.definitionKey('output_check', OutputCheckSchema, { fingerprint: build });
    const mismatches = new WeakMap<CallContext, readonly Issue[]>();
    const appliesTo = (tool: Tool): boolean => tool.outputSchema !== undefined && outputCheckOf(tool) !== 'off';
    kernel.hooks.validateOutput.tap({ name: 'validate-output', appliesTo }, (result, context) => {
      const { tool } = context;
      const issues = tool.outputSchema === undefined ? [] : checkValue(tool.outputSchema, result.output);
      if (issues.length === 0) return undefined;
      if (outputCheckOf(tool) === 'error') mismatches.set(context, issues);
      else context.logger.warn(`the output of "${tool.name}" does not match its output_schema: ${describeMismatch(issues)}`);
      return undefined;
    });
    kernel.hooks.validateOutput.tapPromise(
      { name: 'validate-output-refusal', appliesTo: (tool) => appliesTo(tool) && outputCheckOf(tool) === 'error', stage: beforeShortening },
      (result, context) => {
        const issues = mismatches.get(context);
        if (issues === undefined) return undefined;
        return after(answerDetails(result.output as JsonValue, context), (answer) => {
          throw mismatchError(issues, answer, context);
        });
      },
    );
  },
});
