import { type Call, type CallContext, messageOf, type Tool, ToolkitError } from '../../kernel/index.ts';
import { type Answer, compileVerification, type EvaluateAnswer } from './answer.ts';
import type { Spans } from './timing.ts';
import { verificationParameters } from './verification-parameters.ts';
import type { Verify } from './verify.ts';

/** Verifies the effects of calls as their definitions describe. */
export class Verifier {
  readonly #definitionOf: (tool: Tool) => Verify | undefined;
  readonly #readers = new WeakMap<Verify, Promise<EvaluateAnswer>>();

  constructor(verifyOf: (tool: Tool) => Verify | undefined) {
    this.#definitionOf = verifyOf;
  }

  /** Returns the tool's "verify". Throws TOOL_INVALID for an invalid expression: before the call has its effect, not when that must be verified. */
  async verifyOf(tool: Tool): Promise<Verify | undefined> {
    const verify = this.#definitionOf(tool);
    if (verify !== undefined) await this.#readerOf(verify, tool);
    return verify;
  }

  /** Calls the tool of "verify". Rejects when the effect cannot be verified. */
  async verify(definition: Verify, call: Call, attempt: Spans, { tools }: Pick<CallContext, 'tools'>): Promise<Answer> {
    refuseUnsuitable(call.tool, tools.get(definition.tool));
    const read = await this.#readerOf(definition, call.tool);
    const { parameters } = call;
    try {
      const { output } = await tools.call(definition.tool, verificationParameters(definition, parameters, attempt.wide));
      return read({ output, parameters, attempt });
    } catch (error) {
      if (!ToolkitError.is(error) || error.code !== 'NOT_FOUND') throw error;
      return definition.when === undefined ? { type: 'not happened' } : { type: 'unclear', why: `"${definition.tool}" says NOT_FOUND` };
    }
  }

  async #readerOf(verify: Verify, { name }: Tool): Promise<EvaluateAnswer> {
    const reader = this.#readers.get(verify) ?? compileVerification(verify);
    this.#readers.set(verify, reader);
    return reader.catch((error: unknown) => {
      throw new ToolkitError('TOOL_INVALID', `"verify" of "${name}" is wrong: ${messageOf(error)}.`, { tool: name });
    });
  }
}

/**
 * Refuses a verifying tool that may change something. A package may only use a tool of its own provider: parameters and credentials for one
 * service must not reach another.
 */
function refuseUnsuitable({ name, origin, provider }: Tool, verifyingTool: Tool): void {
  const isSameOwner =
    verifyingTool.provider?.name === provider?.name &&
    verifyingTool.origin.package?.name === origin.package?.name &&
    verifyingTool.origin.source?.name === origin.source?.name &&
    verifyingTool.origin.plugin === origin.plugin;
  const problem =
    verifyingTool.annotations.readOnlyHint !== true
      ? 'which may change something: expected a tool that only reads'
      : origin.trust !== 'operator' && !isSameOwner
        ? 'which is of another provider or package: expected one of its own'
        : undefined;
  if (problem === undefined) return;
  throw new ToolkitError('TOOL_INVALID', `"${name}" is verified by "${verifyingTool.name}", ${problem}.`, { tool: name });
}
