import Type, { type Static } from 'typebox';
import { approvedArgument, type CallRequest, checkValue, roundedIssues, type Tool, ToolkitError } from '../../../kernel/index.ts';
import { boundedCopy, fitsWithin } from '../feed/bounded-copy.ts';
import type { FormAnswer } from '../wire/tools.ts';
import type { ConsoleServices, EndpointRequest } from './endpoint.ts';

/** Maximum size of an output, in characters of its JSON. */
const maxOutputCharacters = 1_000_000;

const FormCallSchema = Type.Object(
  { parameters: Type.Record(Type.String(), Type.Unknown()), as: Type.Enum(['model', 'operator']) },
  { additionalProperties: false },
);

/** Caller of `toolkit run`: that of a call without one. */
const commandLineCaller = 'default';

/**
 * Calls a tool with the values of a form, under the policy of a model or as the command line does. A call that a person must approve is held: nobody is
 * asked here, and the answer names the record. Ends the call when the client is gone.
 */
export async function callFromForm(
  { by, values: { name = '' }, body, signal }: EndpointRequest,
  { kernel, calls, now }: ConsoleServices,
): Promise<FormAnswer> {
  const { parameters, as } = readForm(body);
  const tool = kernel.registry.get(name);
  refuseLossy(tool, parameters);
  const model = { origin: 'model', caller: `console:${by.name}` } as const;
  const request: CallRequest = { tool: tool.name, parameters, signal, ...(as === 'model' ? model : {}) };
  const startedAt = now();
  const answer = (callId: string | undefined, outcome: Pick<FormAnswer, 'output' | 'outputNote' | 'error'>): FormAnswer => {
    const ended = callId === undefined ? undefined : calls?.find(callId)?.call;
    return {
      ...(callId === undefined ? {} : { callId }),
      ...(ended?.traceId === undefined ? {} : { traceId: ended.traceId }),
      as,
      caller: kernel.mask(as === 'model' ? model.caller : commandLineCaller),
      durationMs: ended !== undefined && 'durationMs' in ended ? ended.durationMs : now() - startedAt,
      ...outcome,
    };
  };
  try {
    const { callId, output, error } = await kernel.call(request);
    return answer(callId, { ...outputOf(output), ...(error === undefined ? {} : { error: errorOf(error) }) });
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    return answer(calls?.failedWith(error), { error: errorOf(error) });
  }
}

function readForm(body: unknown): Static<typeof FormCallSchema> {
  const [issue] = checkValue(FormCallSchema, body);
  if (issue === undefined) return body as Static<typeof FormCallSchema>;
  const message = `The form of the call is wrong: ${`${issue.path} ${issue.message}`.trim()}. Send {"parameters": {…}, "as": "model" or "operator"}.`;
  throw new ToolkitError('INVALID_PARAMETERS', message);
}

/** Refuses numbers that were rounded when the body was parsed, and the proof of an approval: the console gives approvals in its inbox only. */
function refuseLossy(tool: Tool, parameters: Readonly<Record<string, unknown>>): void {
  const [issue] = Object.hasOwn(parameters, approvedArgument)
    ? [{ path: approvedArgument, message: 'is no parameter of a form: approve the call in the inbox' }]
    : roundedIssues(tool, parameters);
  if (issue === undefined) return;
  const message = `The arguments of "${tool.name}" are wrong: ${`${issue.path} ${issue.message}`.trim()}.`;
  throw new ToolkitError('INVALID_PARAMETERS', message, { tool: tool.name });
}

function outputOf(output: unknown): Pick<FormAnswer, 'output' | 'outputNote'> {
  if (fitsWithin(output, maxOutputCharacters)) return { output };
  return { output: boundedCopy(output, maxOutputCharacters).value, outputNote: 'The output is over 1 MB, and is cut here.' };
}

function errorOf({ code, message, details }: ToolkitError): NonNullable<FormAnswer['error']> {
  return { code, message, ...(typeof details.approval === 'string' ? { approval: details.approval } : {}) };
}
