import { digest } from '../definition/digest.ts';
import type { Tool } from '../definition/tool.ts';

/** One of the things that decide what a call does. */
export interface IdentityPart {
  /** For a person: a path, a method with its URL, a host. Without credentials; what is known as a secret is masked. */
  readonly shown: string;
  /** What it is beyond that, such as a hash of the file. */
  readonly state?: string;
}

/** What a call will run, beside its definition and its parameters. A part that does not apply is absent. */
export interface CallIdentity {
  /** Where it goes: method and URL, the URL of a remote, the host of a database. */
  readonly destination?: IdentityPart;
  /** The program as it is found: its absolute path, links followed. */
  readonly program?: IdentityPart;
  /** The folder in which the program runs, links followed. */
  readonly folder?: IdentityPart;
  /** The modules that the definition names. */
  readonly code?: IdentityPart;
}

export const identityParts = ['destination', 'program', 'folder', 'code'] as const satisfies readonly (keyof CallIdentity)[];

/** What an approval holds for: by the word for it, a digest (sha256, hex). */
export type Bindings = Readonly<Record<string, string>>;

/** All that an approval holds for but the parameters and the caller. `tool`: undefined when it is not registered any more. */
export function bindingsOf(tool: Tool | undefined, identity: CallIdentity): Bindings {
  const provider = tool?.provider?.definition;
  const parts = identityParts.flatMap((name) => {
    const part = identity[name];
    return part === undefined ? [] : [[name, digest([part.shown, part.state])] as const];
  });
  return {
    definition: tool?.hash ?? '',
    ...(provider === undefined ? {} : { provider: digest(provider) }),
    ...Object.fromEntries(parts),
  };
}

/** The words for what differs. */
export function changedIn(before: Bindings, now: Bindings): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name]);
}
