import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { TSchema } from 'typebox';
import {
  type ApprovalProof,
  approvedArgument,
  type CallClient,
  type CallRequest,
  describeValue,
  isPlainObject,
  type Kernel,
  type Progress,
  type Registry,
  roundedIssues,
  type Tool,
  ToolkitError,
} from '../../../kernel/index.ts';
import { withCompanions } from '../exposure/companions.ts';
import type { OutputSchemas } from '../exposure/listed-schemas.ts';
import type { Offer } from '../exposure/offer.ts';
import { listTool } from '../exposure/tool-listing.ts';
import { allTools, searchedTools } from '../exposure/tool-lists.ts';
import { type ApprovalQuestion, checkModelOptions, type HostCredentials, type ModelOptions } from './model-options.ts';
import { failureOf, type ModelResult, resultOf } from './model-result.ts';
import { offeredTools } from './offered-tools.ts';

type ModelKernel = Pick<Kernel, 'registry' | 'start' | 'approvalProof'>;

/** What the tools are taken from: a Toolkit, or a kernel. */
export type ToolHost = ModelKernel | { readonly kernel: ModelKernel };

/** Asks a person about a call: see `OnApproval`. */
export type Approve = (question: ApprovalQuestion, signal: AbortSignal) => Promise<boolean | undefined> | boolean | undefined;

/** What belongs to one call, or to those of one answer of a model. */
export interface RunOptions {
  /** Cancels them. */
  readonly signal?: AbortSignal | undefined;
  /** Told how far the work of a tool is. */
  readonly onProgress?: (progress: Progress, tool: string) => void;
}

interface ModelCall extends RunOptions {
  /** @default the option `onApproval`; without that nobody can be asked */
  readonly approve?: Approve | undefined;
  /** The input was read without rounding integers. @default false: the framework has read it, and what it may have rounded is refused */
  readonly isExact?: boolean;
}

interface Settings {
  /** The function that takes the options, as errors name it. */
  readonly of: string;
  readonly schema: TSchema;
  readonly outputSchemas?: OutputSchemas;
  /** The framework asks persons in a way of its own. @default false */
  readonly asks?: boolean;
}

/** The tool that calls others, whose call is decided by what it calls. */
const forwarder = 'toolkit_call_tool';

/** The tools of a kernel for a model: listed in the form that all model APIs take, called as that model. Throws CONFIG_INVALID. */
export class ModelTools {
  readonly #kernel: ModelKernel;
  readonly #options: ModelOptions;
  readonly #offer: Offer;
  readonly #proof: ApprovalProof;
  readonly #isSearched: boolean;
  #list: { readonly registry: Registry; readonly tools: readonly ListedTool[] } | undefined;

  constructor(host: ToolHost, options: ModelOptions, { of, schema, outputSchemas = 'none', asks = false }: Settings) {
    checkModelOptions(schema, options, of);
    this.#kernel = 'kernel' in host ? host.kernel : host;
    this.#options = options;
    this.#offer = offeredTools(options, this.#kernel.registry, outputSchemas);
    const { approvalProof } = this.#kernel;
    const isAsked = asks || options.onApproval !== undefined;
    // Where a person is asked, nothing that the model says opens the gate; a token that a person handed out does.
    this.#proof = isAsked && approvalProof === 'flag' ? 'none' : approvalProof;
    this.#isSearched = options.expose === 'search';
  }

  /** What the model is shown at this moment, by name. */
  get list(): readonly ListedTool[] {
    const { registry } = this.#kernel;
    if (this.#list?.registry !== registry) {
      const { isOffered, isVisible, isPinned, outputSchemas } = this.#offer;
      const visible = withCompanions(registry).filter(isVisible);
      const listed = (tool: Tool): ListedTool => listTool(tool, this.#proof, outputSchemas);
      const entries = this.#isSearched ? searchedTools(visible, isPinned, listed) : allTools(visible, isOffered, listed);
      this.#list = { registry, tools: entries.tools.map(entries.kept) };
    }
    return this.#list.tools;
  }

  /** A call of the model. Never throws: what fails is a result that the model can read. */
  async call(name: string, input: unknown, call: ModelCall = {}): Promise<ModelResult> {
    try {
      if (call.isExact !== true) this.#refuseRounded(name, input);
      return resultOf(await this.#kernel.start(this.#request(name, input, call)));
    } catch (error) {
      return failureOf(error);
    }
  }

  /** What a person would be asked about this call, if it were made now. Nothing runs, and nobody is asked. */
  async questionsAbout(name: string, input: unknown): Promise<readonly ApprovalQuestion[]> {
    const questions: ApprovalQuestion[] = [];
    const approve: Approve = (question) => {
      questions.push(question);
      return true;
    };
    for (const [tool, parameters] of callsIn(name, input)) {
      // A token that a person handed out would be used up, and decides without a question.
      if (isPlainObject(parameters) && typeof parameters[approvedArgument] === 'string') continue;
      try {
        await this.#kernel.start({ ...this.#request(tool, parameters, { approve }), isTrial: true });
      } catch {
        // A call that is refused is refused when it is made.
      }
    }
    return questions;
  }

  #refuseRounded(name: string, input: unknown): void {
    const [called, parameters] = callsIn(name, input).at(-1) ?? [name, input];
    const tool = this.#kernel.registry.tools.get(called);
    const issues = tool === undefined || !isPlainObject(parameters) ? [] : roundedIssues(tool, parameters);
    if (issues.length === 0) return;
    const shown = issues.slice(0, 3).map(({ path, message }) => `${path} ${message}`);
    throw new ToolkitError('INVALID_PARAMETERS', `The arguments of "${called}" are wrong: ${shown.join('; ')}.`, { tool: called, issues });
  }

  #request(name: string, input: unknown, { signal, onProgress, approve = this.#options.onApproval }: ModelCall): CallRequest {
    if (!isPlainObject(input))
      throw new ToolkitError(
        'INVALID_PARAMETERS',
        `The arguments of "${name}" are wrong: expected an object, received ${describeValue(input)}. Call it again with an object, {} for none.`,
        { tool: name },
      );
    const { [approvedArgument]: approved, ...parameters } = input;
    const { caller, tenant, credentials } = this.#options;
    return {
      tool: name,
      parameters,
      origin: 'model',
      isVisible: this.#offer.isVisible,
      approved: approved === true,
      ...(typeof approved === 'string' ? { approval: approved } : {}),
      ...(caller === undefined ? {} : { caller }),
      ...(tenant === undefined ? {} : { tenant }),
      ...(credentials === undefined ? {} : { credentials: credentialsFor(credentials) }),
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress: (progress: Progress) => onProgress(progress, name) }),
      ...(approve === undefined ? {} : { client: { approve: asked(approve) } }),
    };
  }
}

/** A call, and the one that it passes on. */
function callsIn(name: string, input: unknown): readonly (readonly [string, unknown])[] {
  const own = [name, input] as const;
  if (name !== forwarder || !isPlainObject(input) || typeof input['name'] !== 'string') return [own];
  return [own, [input['name'], input['arguments']]];
}

function asked(approve: Approve): NonNullable<CallClient['approve']> {
  return async (question, signal) => approve(question as ApprovalQuestion & typeof question, signal ?? new AbortController().signal);
}

/** Those that a tool needs: a host gives the same to all. */
function credentialsFor(given: HostCredentials): (tool: Tool) => Readonly<Record<string, string>> {
  return (tool) => {
    const values = typeof given === 'function' ? given(tool) : given;
    const names = tool.credentials.map(({ name }) => name).filter((name) => Object.hasOwn(values, name));
    return Object.fromEntries(names.map((name) => [name, values[name] as string]));
  };
}
