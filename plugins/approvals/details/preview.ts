import { randomUUID } from 'node:crypto';
import {
  type ApprovalDetails,
  type CallOutput,
  deny,
  type Kernel,
  messageOf,
  type PluginApi,
  renderValue,
  type Tool,
  ToolkitError,
} from '../../../kernel/index.ts';
import { definePreview, type Preview, previewIssue } from './preview-definition.ts';

/** A held call, as much of it as a preview needs. */
export interface PreviewedCall {
  /** The tool as it is registered now. */
  readonly tool: Tool;
  /** The parameters of the call, not masked. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly caller: string;
  readonly tenant: string;
  /** @default `tenant` */
  readonly accountTenant?: string;
  /** True when the call has credentials that only its client has, so that a preview would show what another account sees. @default false */
  readonly hasOwnCredentials?: boolean;
}

/** Reads the preview of a call. Undefined when the definition has none. Never rejects: a failure is in the result. */
export type ReadPreview = (call: PreviewedCall) => Promise<ApprovalDetails['preview']>;

/** Maximum length of the answer, in characters of JSON. */
const maxCharacters = 4000;

/** After all other taps, so that it sees every demand for approval. */
const veryLastStage = 1_000_000;

/**
 * Adds the definition key `preview`, and returns the reader of previews. A preview runs as the caller of the call, as a call of a model, and calls no other
 * tool. Where a person would have to be asked about it, it is refused.
 */
export function definePreviews(api: Pick<PluginApi, 'extend' | 'hooks' | 'kernel'>, timeoutMs = 10_000): ReadPreview {
  const previews = definePreview(api);
  const names = new WeakMap<object, ReadonlySet<string>>();
  /** Returns the names of the tools that are read for previews, once for each registry. */
  const readTools = (registry: Kernel['registry']): ReadonlySet<string> => {
    const known = names.get(registry) ?? new Set([...registry.tools.values()].flatMap((tool) => previews.of(tool)?.tool ?? []));
    names.set(registry, known);
    return known;
  };
  /** The tools of the calls whose previews are being read, by a text that no other call knows. */
  const reads = new Map<string, Tool>();
  const isRead = ({ name }: Tool): boolean => readTools(api.kernel.registry).has(name);
  api.hooks.beforeExecute.tap({ name: 'preview', stage: veryLastStage, appliesTo: isRead }, (draft) => {
    const of = draft.approval === undefined ? undefined : reads.get(draft.approval);
    if (of === undefined || draft.verdict.effect === 'deny') return undefined;
    const asks = draft.verdict.effect === 'ask' ? `a person would have to approve it: ${draft.verdict.reasons.at(-1)?.message}` : undefined;
    const message = previewIssue(of, draft.tool) ?? asks;
    return message === undefined ? undefined : deny(draft, { kind: 'preview', message });
  });
  return async (call) => {
    const preview = previews.of(call.tool);
    if (preview === undefined) return undefined;
    const { tool } = preview;
    if (call.hasOwnCredentials === true) return { tool, failure: 'The call has credentials of its own, which only its client has.' };
    const key = randomUUID();
    reads.set(key, call.tool);
    try {
      return { tool, ...shownResult(await readWithin(timeoutMs, api.kernel, preview, call, key)) };
    } catch (error) {
      return { tool, failure: api.kernel.mask(messageOf(error)) };
    } finally {
      reads.delete(key);
    }
  };
}

async function readWithin(timeoutMs: number, kernel: Kernel, preview: Preview, call: PreviewedCall, key: string): Promise<CallOutput> {
  const { parameters, caller, tenant, accountTenant } = call;
  const lookup = (name: string): unknown => (Object.hasOwn(parameters, name) ? parameters[name] : undefined);
  const ending = new AbortController();
  const answer = kernel.call({
    tool: preview.tool,
    parameters: renderValue(preview.parameters ?? {}, lookup) as Readonly<Record<string, unknown>>,
    caller,
    tenant,
    ...(accountTenant === undefined ? {} : { accountTenant }),
    origin: 'model',
    approval: key,
    isVisible: ({ name }) => name === preview.tool,
    signal: ending.signal,
  });
  // After the time limit nothing waits for the end of the call.
  answer.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new ToolkitError('TIMEOUT', `"${preview.tool}" has not answered within ${timeoutMs / 1000} s.`, { tool: preview.tool }));
      ending.abort();
    }, timeoutMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

function shownResult({ output, error }: CallOutput): Pick<NonNullable<ApprovalDetails['preview']>, 'output' | 'failure'> {
  if (error !== undefined) return { failure: error.message };
  const text = JSON.stringify(output);
  if (text.length <= maxCharacters) return { output };
  return { output: `${text.slice(0, maxCharacters)} … (the first ${maxCharacters} of ${text.length} characters)`.toWellFormed() };
}
