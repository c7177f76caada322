import { type Call, type CallContext, messageOf, type Tool, ToolkitError } from '../../kernel/index.ts';
import { type Answer, answerReader, type ReadAnswer } from './answer.ts';
import { askedParameters } from './asked-parameters.ts';
import type { Span } from './timing.ts';
import type { Verify } from './verify.ts';

/** Verifies the effects of calls as their definitions describe. */
export class Verifier {
  readonly #verifyOf: (tool: Tool) => Verify | undefined;
  readonly #readers = new WeakMap<Verify, Promise<ReadAnswer>>();

  constructor(verifyOf: (tool: Tool) => Verify | undefined) {
    this.#verifyOf = verifyOf;
  }

  /** Returns the tool's "verify". Throws TOOL_INVALID for an invalid expression: before the call has its effect, not when that must be verified. */
  async of(tool: Tool): Promise<Verify | undefined> {
    const verify = this.#verifyOf(tool);
    if (verify !== undefined) await this.#readerOf(verify, tool);
    return verify;
  }

  /** Calls the tool of "verify". Rejects when the effect cannot be verified. */
  async ask(verify: Verify, call: Call, attempt: Span, { tools }: Pick<CallContext, 'tools'>): Promise<Answer> {
    refuse(call.tool, tools.get(verify.tool));
    const read = await this.#readerOf(verify, call.tool);
    const { parameters } = call;
    try {
      const { output } = await tools.call(verify.tool, askedParameters(verify, parameters, attempt));
      return read({ output, parameters, attempt });
    } catch (error) {
      if (!ToolkitError.is(error) || error.code !== 'NOT_FOUND') throw error;
      return verify.when === undefined ? { type: 'not happened' } : { type: 'unclear', why: `"${verify.tool}" says NOT_FOUND` };
    }
  }

  async #readerOf(verify: Verify, { name }: Tool): Promise<ReadAnswer> {
    const reader = this.#readers.get(verify) ?? answerReader(verify);
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
function refuse({ name, origin, provider }: Tool, asked: Tool): void {
  const isOwn =
    asked.provider?.name === provider?.name &&
    asked.origin.package?.name === origin.package?.name &&
    asked.origin.source?.name === origin.source?.name &&
    asked.origin.plugin === origin.plugin;
  const problem =
    asked.annotations.readOnlyHint !== true
      ? 'which may change something: expected a tool that only reads'
      : origin.trust !== 'operator' && !isOwn
        ? 'which is of another provider or package: expected one of its own'
        : undefined;
  if (problem === undefined) return;
  throw new ToolkitError('TOOL_INVALID', `"${name}" is verified by "${asked.name}", ${problem}.`, { tool: name });
}
