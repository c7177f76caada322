import type { TSchema } from 'typebox';
import {
  type ApprovalProof,
  approvedArgument,
  type CallClient,
  type CallRequest,
  type CallTrace,
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
import type { ToolAccess } from '../exposure/tool-access.ts';
import { listTool } from '../exposure/tool-listing.ts';
import { allTools, searchedTools } from '../exposure/tool-lists.ts';
import type { ListedTool } from '../mcp-sdk/types.ts';
import { type ApprovalQuestion, checkModelOptions, type HostCredentials, type ModelOptions } from './model-options.ts';
import { failureOf, type ModelResult, resultOf } from './model-result.ts';
import { selectTools } from './select-tools.ts';

type ModelKernel = Pick<Kernel, 'registry' | 'start' | 'approvalProof'>;

/** Source of the tools: a Toolkit, or a kernel. */
export type ToolHost = ModelKernel | { readonly kernel: ModelKernel };

/** Asks a person about a call; see `OnApproval`. */
export type Approve = (question: ApprovalQuestion, signal: AbortSignal) => Promise<boolean | undefined> | boolean | undefined;

/** Options of one call, or of all calls in one answer of a model. */
export interface RunOptions {
  /** Cancels the calls. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress of a tool. */
  readonly onProgress?: (progress: Progress, tool: string) => void;
  /** Trace of the calls: see `CallRequest.trace`. @default the active span, where a plugin traces */
  readonly trace?: CallTrace | undefined;
}

interface ModelCall extends RunOptions {
  /** Asks a person. @default the option `onApproval`; without it no person can be asked */
  readonly approve?: Approve | undefined;
  /**
   * True when the input was parsed without rounding integers. @default false: the framework has parsed it, and possibly rounded numbers
   * are refused
   */
  readonly isExact?: boolean;
}

interface Settings {
  /** Function that takes the options, as errors name it. */
  readonly functionName: string;
  readonly schema: TSchema;
  readonly outputSchemas?: OutputSchemas;
  /** True when the framework asks people in its own way. @default false */
  readonly asksItself?: boolean;
}

/** The tool that forwards calls. The forwarded call decides about approval. */
const forwarder = 'toolkit_call_tool';

/** The tools of a kernel for a model: listed in the form that all model APIs accept, called on behalf of the model. Throws CONFIG_INVALID. */
export class ModelTools {
  readonly #kernel: ModelKernel;
  readonly #options: ModelOptions;
  readonly #access: ToolAccess;
  readonly #proof: ApprovalProof;
  readonly #isSearched: boolean;
  #list: { readonly registry: Registry; readonly tools: readonly ListedTool[] } | undefined;

  constructor(host: ToolHost, options: ModelOptions, { functionName, schema, outputSchemas = 'none', asksItself = false }: Settings) {
    checkModelOptions(schema, options, functionName);
    this.#kernel = 'kernel' in host ? host.kernel : host;
    this.#options = options;
    this.#access = selectTools(options, this.#kernel.registry, outputSchemas, () => this.#kernel.registry);
    const { approvalProof } = this.#kernel;
    const isAsked = asksItself || options.onApproval !== undefined;
    // Where a person is asked, only an approval token from a person opens the gate, not the model's own claim.
    this.#proof = isAsked && approvalProof === 'flag' ? 'none' : approvalProof;
    this.#isSearched = options.expose === 'search';
  }

  /** Tools currently listed to the model, by name. */
  get list(): readonly ListedTool[] {
    const { registry } = this.#kernel;
    if (this.#list?.registry !== registry) {
      const { isAllowed: isOffered, isCallable: isVisible, isPinned, outputSchemas } = this.#access;
      const visible = withCompanions(registry).filter(isVisible);
      const listed = (tool: Tool): ListedTool => listTool(tool, this.#proof, outputSchemas);
      const entries = this.#isSearched ? searchedTools(visible, isPinned, listed) : allTools(visible, isOffered, listed, isPinned);
      this.#list = { registry, tools: entries.tools.map(entries.cachedEntry) };
    }
    return this.#list.tools;
  }

  /** Runs a call of the model. Never throws: a failure is a result that the model can read. */
  async call(name: string, input: unknown, call: ModelCall = {}): Promise<ModelResult> {
    try {
      if (call.isExact !== true) this.#refuseRounded(name, input);
      return resultOf(await this.#kernel.start(this.#request(name, input, call)));
    } catch (error) {
      return failureOf(error);
    }
  }

  /** Returns the questions that a person would be asked about this call now. Runs no tool and asks no person. */
  async questionsAbout(name: string, input: unknown): Promise<readonly ApprovalQuestion[]> {
    const questions: ApprovalQuestion[] = [];
    const approve: Approve = (question) => {
      questions.push(question);
      return true;
    };
    for (const [tool, parameters] of callsIn(name, input)) {
      // An approval token would be consumed, and decides without a question.
      if (isPlainObject(parameters) && typeof parameters[approvedArgument] === 'string') continue;
      try {
        await this.#kernel.start({ ...this.#request(tool, parameters, { approve }), isTrial: true });
      } catch {
        // A refused call is refused again when it is run.
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

  #request(name: string, input: unknown, { signal, onProgress, trace, approve = this.#options.onApproval }: ModelCall): CallRequest {
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
      isVisible: this.#access.isCallable,
      approved: approved === true,
      ...(typeof approved === 'string' ? { approval: approved } : {}),
      ...(caller === undefined ? {} : { caller }),
      ...(tenant === undefined ? {} : { tenant }),
      ...(credentials === undefined ? {} : { credentials: credentialsFor(credentials) }),
      ...(signal === undefined ? {} : { signal }),
      ...(trace === undefined ? {} : { trace }),
      ...(onProgress === undefined ? {} : { onProgress: (progress: Progress) => onProgress(progress, name) }),
      ...(approve === undefined ? {} : { client: { approve: asked(approve) } }),
    };
  }
}

/** Returns a call, followed by the call that it forwards. */
function callsIn(name: string, input: unknown): readonly (readonly [string, unknown])[] {
  const own = [name, input] as const;
  if (name !== forwarder || !isPlainObject(input) || typeof input['name'] !== 'string') return [own];
  return [own, [input['name'], input['arguments']]];
}

function asked(approve: Approve): NonNullable<CallClient['approve']> {
  return async (question, signal) => approve(question as ApprovalQuestion & typeof question, signal ?? new AbortController().signal);
}

/** Returns the credentials that each tool needs, picked from the host's. */
function credentialsFor(given: HostCredentials): (tool: Tool) => Readonly<Record<string, string>> {
  return (tool) => {
    const values = typeof given === 'function' ? given(tool) : given;
    const names = tool.credentials.map(({ name }) => name).filter((name) => Object.hasOwn(values, name));
    return Object.fromEntries(names.map((name) => [name, values[name] as string]));
  };
}
