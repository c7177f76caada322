import type { ApprovalRequest, CallIdentity, IdentityPart, Risk } from '../../../kernel/index.ts';

/** A definition, or one of its files, that a call would make callable. */
export interface PendingChange {
  readonly kind: 'tool' | 'provider' | 'file' | 'resource' | 'resource template' | 'prompt';
  readonly change: 'new' | 'changed';
  readonly name: string;
  /** Absent when the definition does not say it, and is not loaded yet. */
  readonly risk?: Risk;
  /** Absolute path. */
  readonly file?: string;
  /** The text of the file, or the execution and the hashes of its code. */
  readonly text: string;
}

/** A call that waits for a person's decision. Secrets in the parameters are masked. */
export interface HumanRequest {
  readonly tool: string;
  readonly description: string;
  readonly risk: Risk;
  /** The reason why approval is needed. */
  readonly reason: string;
  /** Final parameters: nothing can change them any more. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly caller: string;
  /** Absent when the tool belongs to no provider. */
  readonly provider?: string;
  /** Definitions that the call would make callable. Their parameters are not repeated in `parameters`. */
  readonly activates?: readonly PendingChange[];
  /** Where the call goes: method and URL, the URL of a remote, or the host of a database. Absent when the tool does not say so. */
  readonly destination?: string;
  /** Path of the program that would run, links resolved. */
  readonly program?: string;
  /** Working directory of the program, when the definition names one. */
  readonly folder?: string;
  /** The modules of the tool that would run. */
  readonly code?: string;
  /** The object that the call would send, replace or discard, such as a commit. */
  readonly content?: string;
  /** The state of each path that the call names, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Changes since the person's first answer, such as `its content (from … to …)`. Only set when the question is repeated. */
  readonly changed?: readonly string[];
}

/** Builds the request that a person sees. */
export function humanRequest({ call, reason, shownParameters, shownIdentity, changed }: ApprovalRequest): HumanRequest {
  const { name, description, risk, provider } = call.tool;
  return {
    tool: name,
    description,
    risk,
    reason: reason.message,
    parameters: givenBy(call, shownParameters),
    caller: call.caller,
    ...(provider === undefined ? {} : { provider: provider.name }),
    ...shownParts(shownIdentity),
    ...(changed === undefined ? {} : { changed }),
  };
}

/** Leaves out fixed parameters: no caller chose them, and the person is not asked about folders that are open to all tools. */
function givenBy({ tool }: ApprovalRequest['call'], shown: HumanRequest['parameters']): HumanRequest['parameters'] {
  return Object.fromEntries(Object.entries(shown).filter(([name]) => tool.parameters[name]?.fixed !== true));
}

type ShownParts = Pick<HumanRequest, keyof CallIdentity>;

function shownParts({ files, ...parts }: CallIdentity): ShownParts {
  return { ...texts(parts), ...(files === undefined ? {} : { files: texts(files) }) };
}

function texts(parts: Readonly<Record<string, IdentityPart>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(parts).map(([name, { shown }]) => [name, shown]));
}
