import type { ApprovalRequest, CallIdentity, IdentityPart, Risk } from '../../../kernel/index.ts';

/** A definition, or a file that belongs to one, which a call would make callable. */
export interface Activated {
  readonly kind: 'tool' | 'provider' | 'file' | 'resource' | 'resource template' | 'prompt';
  readonly change: 'new' | 'changed';
  readonly name: string;
  /** Absent where the definition does not say it and it is not loaded yet. */
  readonly risk?: Risk;
  /** Absolute. */
  readonly file?: string;
  /** What it runs: the text of the file, or the execution and the hashes of its code. */
  readonly text: string;
}

/** A call that waits for a person to decide. Secrets in the parameters are masked. */
export interface HumanRequest {
  readonly tool: string;
  readonly description: string;
  readonly risk: Risk;
  /** Why a person is asked. */
  readonly reason: string;
  /** What the call runs with, if it runs: nothing can change them any more. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly caller: string;
  /** Absent for a tool that belongs to none. */
  readonly provider?: string;
  /** What the call would make callable. The parameters that hold it are not repeated in `parameters`. */
  readonly activates?: readonly Activated[];
  /** Where the call goes: method and URL, the URL of a remote, the host of a database. Absent where the tool does not say so. */
  readonly destination?: string;
  /** The program that would run: its path, links followed. */
  readonly program?: string;
  /** The folder in which it would run, where the definition names one. */
  readonly folder?: string;
  /** The modules of the tool that would run. */
  readonly code?: string;
  /** The thing that it would send, replace or throw away, such as a commit. */
  readonly content?: string;
  /** What is at the paths that the call names, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Asked once more: what is not as it was when the person answered, such as `its content (from … to …)`. */
  readonly changed?: readonly string[];
}

/** What a person is told about a call. */
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

/** Without what is fixed: no caller chose it, and the folders that are open to tools are not what the person is asked about. */
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
