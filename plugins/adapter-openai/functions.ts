import type { JsonSchema } from '../../kernel/index.ts';
import { toStrictSchema, withoutStrictNulls } from '../shared/exposure/strict-schema.ts';
import { failureOf, type ModelResult } from '../shared/model-tools/model-result.ts';
import type { ModelTools, RunOptions } from '../shared/model-tools/model-tools.ts';
import { parseArguments } from '../shared/model-tools/parse-arguments.ts';

/** A function in the form that both APIs share. */
export interface ListedFunction {
  readonly name: string;
  readonly description: string;
  readonly parameters: { [name: string]: unknown };
  readonly strict: boolean;
}

export interface FunctionCall {
  readonly name: string;
  /** JSON text written by the model. */
  readonly arguments: string;
}

/** The tools as functions; strict where their schemas allow it. */
export class Functions {
  readonly #tools: ModelTools;
  readonly #isStrict: boolean;
  #cached: { readonly from: ModelTools['list']; readonly list: readonly ListedFunction[] } | undefined;

  constructor(tools: ModelTools, isStrict: boolean) {
    this.#tools = tools;
    this.#isStrict = isStrict;
  }

  get list(): readonly ListedFunction[] {
    const from = this.#tools.list;
    if (this.#cached?.from !== from)
      this.#cached = {
        from,
        list: from.map(({ name, description = '', inputSchema }) => ({ name, description, ...this.#parametersOf(inputSchema) })),
      };
    return this.#cached.list;
  }

  async call(call: FunctionCall, options: RunOptions): Promise<ModelResult> {
    const { name } = call;
    try {
      const listed = this.#tools.list.find((tool) => tool.name === name);
      const parsedArguments = parseArguments(call.arguments, name);
      // Strict mode writes null for "not given". Applied to all tools: the tool may have been strict when the model read its schema.
      const input = listed === undefined ? parsedArguments : withoutStrictNulls(listed.inputSchema, parsedArguments);
      return await this.#tools.call(name, input, { ...options, isExact: true });
    } catch (error) {
      return failureOf(error);
    }
  }

  #parametersOf(schema: JsonSchema): Pick<ListedFunction, 'parameters' | 'strict'> {
    const strict = this.#isStrict ? toStrictSchema(schema) : { open: [] };
    return 'schema' in strict ? { parameters: { ...strict.schema }, strict: true } : { parameters: { ...schema }, strict: false };
  }
}
