import type { TSchema } from 'typebox';
import Type from 'typebox';
import { type ApprovalQuestion as AnyQuestion, checkValue, RiskSchema, type Tool, ToolkitError } from '../../../kernel/index.ts';
import type { HumanRequest } from '../approval/human-request.ts';

/** A call that waits for a person's approval. Secrets are masked. */
export interface ApprovalQuestion extends Omit<AnyQuestion, 'request'> {
  /** The question as data. */
  readonly request: HumanRequest;
}

/**
 * Asks a person about a call: `true` runs it, `undefined` leaves it undecided, any other answer refuses it. `signal` aborts when the call
 * has ended without an answer.
 */
export type OnApproval = (question: ApprovalQuestion, signal: AbortSignal) => Promise<boolean | undefined> | boolean | undefined;

/** Credential values by name, for all calls or for each tool. */
export type HostCredentials = Readonly<Record<string, string>> | ((tool: Tool) => Readonly<Record<string, string>>);

const Names = Type.Optional(Type.Array(Type.String({ minLength: 1 })));

/** Options with the same meaning for every framework. */
export const modelOptions = {
  /** Tools to offer, by name or with `*`. @default all */
  tools: Names,
  /** Tools to exclude from those, by name or with `*`. @default none */
  excludeTools: Names,
  /** Providers whose tools are offered; `core` for the built-in tools, `none` for tools without provider. @default all */
  providers: Names,
  /** Tags, of which an offered tool has at least one. @default any tool */
  tags: Names,
  /** The highest risk to offer. @default 'high' */
  maxRisk: Type.Optional(RiskSchema),
  /** `all`: the model sees every offered tool. `search`: it sees the tools that find, describe and call the others. @default 'all' */
  expose: Type.Optional(Type.Enum(['all', 'search'])),
  /** Caller of the calls, for policy and audit trail. @default 'default' */
  caller: Type.Optional(Type.String({ minLength: 1 })),
  /** Tenant whose share of limited resources the calls use. @default the caller */
  tenant: Type.Optional(Type.String({ minLength: 1 })),
  /**
   * Credentials of the host's user, in place of those from secret resolvers. A model neither sees nor gives them. @default the secret
   * resolvers
   */
  credentials: Type.Optional(Type.Unsafe<HostCredentials>({})),
  /**
   * Asks a person about every call that needs approval; the call waits. The model's own claim (`_toolkit_approved`) then counts for
   * nothing.
   * @default the framework's own way of asking; else the approval gate's rule for a client that cannot ask
   */
  onApproval: Type.Optional(Type.Unsafe<OnApproval>({})),
};

/** Schema of the options. The type is written out so that declarations keep the doc comments. */
export const ModelOptionsSchema: Type.TObject<typeof modelOptions> = Type.Object(modelOptions, { additionalProperties: false });

export type ModelOptions = Type.Static<typeof ModelOptionsSchema>;

const functions = ['onApproval', 'interrupt', 'onQuestion'];

/** Throws CONFIG_INVALID for two options of which one has no effect. */
export function refuseBoth(functionName: string, name: string, other: string): never {
  throw new ToolkitError(
    'CONFIG_INVALID',
    `The options of ${functionName} are wrong: "${name}" has no effect beside "${other}". Give one of them.`,
  );
}

/** Throws CONFIG_INVALID for invalid options. `functionName`: the function that takes them, for the message. */
export function checkModelOptions(schema: TSchema, options: object, functionName: string): void {
  const wrong = checkValue(schema, options).map(({ path, message }) => `${path} ${message}`.trim());
  const strange = Object.entries(options).find(
    ([name, value]) => functions.includes(name) && value !== undefined && typeof value !== 'function',
  );
  if (strange !== undefined) wrong.push(`${strange[0]} expected a function, received ${typeof strange[1]}`);
  if (wrong.length > 0)
    throw new ToolkitError('CONFIG_INVALID', `The options of ${functionName} are wrong: ${wrong.join('; ')}. Correct them.`);
}
