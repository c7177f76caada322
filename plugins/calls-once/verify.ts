import Type, { type Static } from 'typebox';
import { type Call, type CallContext, renderValue, type Tool, ToolkitError } from '../../kernel/index.ts';
import { type Condition, conditionCompiler, type VariableTypes } from '../shared/conditions/condition.ts';

/** How to find out whether a call has had its effect: a call of a tool that only reads, and a condition on its output. */
export const VerifySchema = Type.Object(
  {
    /** A tool that only reads, such as the one that lists what this one makes. */
    tool: Type.String({ minLength: 1 }),
    /** Its parameters; `{name}` stands for a parameter of the call. */
    parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** A CEL expression over `output`, that of the tool, and `parameters`, those of the call: true when the call has had its effect. NOT_FOUND of the tool is false. @default true: it is enough that the tool finds it */
    when: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
    /** How long after the end of an attempt, in milliseconds, the service may still do what it was asked, or the tool may not find it yet. @default 10000 */
    after_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
  },
  { additionalProperties: false, patternProperties: { '^x-': {} } },
);

export type Verify = Static<typeof VerifySchema>;

/** Whether the call has had its effect, with what was found. Rejects where that cannot be found out. */
export async function verified(
  verify: Verify,
  call: Call,
  { tools }: Pick<CallContext, 'tools'>,
): Promise<{ readonly happened: boolean; readonly output?: unknown }> {
  refuse(call.tool, tools.get(verify.tool));
  const parameters = renderValue(verify.parameters ?? {}, (name) => call.parameters[name]) as Readonly<Record<string, unknown>>;
  try {
    const { output } = await tools.call(verify.tool, parameters);
    return { happened: verify.when === undefined || (await holds(verify.when, { output, parameters: call.parameters })), output };
  } catch (error) {
    if (ToolkitError.is(error) && error.code === 'NOT_FOUND') return { happened: false };
    throw error;
  }
}

interface Variables {
  readonly output: unknown;
  readonly parameters: Readonly<Record<string, unknown>>;
}

const variableTypes: VariableTypes<Variables> = { output: 'dyn', parameters: 'map' };

let compiling: Promise<(text: string) => Condition<Variables>> | undefined;

async function holds(when: string, variables: Variables): Promise<boolean> {
  compiling ??= conditionCompiler(variableTypes);
  return (await compiling)(when)(variables);
}

/** A package asks its own service: what it is given for one it must not carry to another. */
function refuse({ name, origin, provider }: Tool, asked: Tool): void {
  const problem =
    asked.annotations.readOnlyHint !== true
      ? 'which may change something: expected a tool that only reads'
      : origin.trust !== 'operator' && asked.provider?.name !== provider?.name
        ? 'which is of another provider: expected one of its own'
        : undefined;
  if (problem === undefined) return;
  throw new ToolkitError('TOOL_INVALID', `"${name}" is verified by "${asked.name}", ${problem}.`, { tool: name });
}
