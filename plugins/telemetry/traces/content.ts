import { after, type CallContext, type MaybePromise, type PluginApi } from '../../../kernel/index.ts';

/** Sees the values that all other plugins leave. */
const lastStage = Number.MAX_SAFE_INTEGER;

/**
 * Adds the arguments and the result of each call to its span, as JSON (semantic conventions for generative AI), with every secret masked and cut to
 * `maxCharacters`.
 */
export function recordContent(api: PluginApi, maxCharacters: number): void {
  const record = (name: string, value: unknown, context: CallContext): MaybePromise<undefined> => {
    const { span } = context;
    if (span === undefined || !isSampled(span.context.traceparent)) return undefined;
    return after(context.maskInSlices(value), (masked) => {
      // Of a pure tool the mask of the call leaves the kernel's secrets: no caller may learn from it which guess is one.
      const text = jsonOf(context.tool.definition.pure === true ? api.kernel.mask(masked) : masked);
      if (text !== undefined) span.set({ [name]: cut(text, maxCharacters) });
      return undefined;
    });
  };
  api.hooks.beforeExecute.tapPromise({ name: 'arguments', stage: lastStage }, ({ parameters }, context) =>
    record('gen_ai.tool.call.arguments', parameters, context),
  );
  api.hooks.validateOutput.tapPromise({ name: 'result', stage: lastStage }, ({ output }, context) =>
    record('gen_ai.tool.call.result', output, context),
  );
}

function isSampled(traceparent: string): boolean {
  return (Number.parseInt(traceparent.slice(-2), 16) & 1) === 1;
}

/** Returns undefined for a value that is no JSON: the call itself is refused for it. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function cut(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1).toWellFormed()}…`;
}
