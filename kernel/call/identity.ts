import { digest } from '../definition/schema/digest.ts';
import type { Tool } from '../definition/schema/tool.ts';

/** A part of a call's identity, to which an approval is bound. */
export interface IdentityPart {
  /** Display text: a path, a method with its URL, a host. It contains no credentials; known secrets are masked. */
  readonly shown: string;
  /** The state besides the display text, such as a hash of the file. */
  readonly state?: string;
  /** Arguments of a program, for display only: an approval is bound to them by the definition and the parameters. A credential is `{ITS_NAME}`. */
  readonly args?: readonly string[];
}

/** The identity of a call, besides its definition and parameters. A part that does not apply is absent. */
export interface CallIdentity {
  /** The destination: method and URL, the URL of a remote, the host of a database. */
  readonly destination?: IdentityPart;
  /** The content that is sent, replaced or discarded, when it has no path: a commit, the changes of a working tree. */
  readonly content?: IdentityPart;
  /** The program: its absolute path, with links resolved. */
  readonly program?: IdentityPart;
  /** The working directory of the program, with links resolved. */
  readonly folder?: IdentityPart;
  /** The modules of the definition. */
  readonly code?: IdentityPart;
  /** The files and folders of the call's parameters, by path. */
  readonly files?: Readonly<Record<string, IdentityPart>>;
}

export const identityParts = ['destination', 'content', 'program', 'folder', 'code'] as const satisfies readonly (keyof CallIdentity)[];

/** Digests (sha256, hex) to which an approval is bound, by name of the part. */
export type Bindings = Readonly<Record<string, string>>;

/** Returns the parts of an identity by display name, such as `destination` or `"notes/a.txt"`. */
export function partsOf(identity: CallIdentity): ReadonlyMap<string, IdentityPart> {
  const named = identityParts.flatMap((name) => (identity[name] === undefined ? [] : [[name, identity[name]] as const]));
  const files = Object.entries(identity.files ?? {}).map(([path, part]) => [JSON.stringify(path), part] as const);
  return new Map<string, IdentityPart>([...named, ...files]);
}

/** Joins the identities that several plugins report for one call. A path in two of them is bound to both states. */
export function joinIdentities(identities: readonly CallIdentity[]): CallIdentity {
  const files = new Map<string, IdentityPart>();
  for (const [path, part] of identities.flatMap((identity) => Object.entries(identity.files ?? {}))) {
    const known = files.get(path);
    files.set(path, known === undefined ? part : { ...part, state: digest([known.shown, known.state, part.state]) });
  }
  const parts: CallIdentity = Object.assign({}, ...identities);
  return files.size === 0 ? parts : { ...parts, files: Object.fromEntries(files) };
}

/** Returns the bindings of an approval, except parameters and caller. `tool`: undefined when it is no longer registered. */
export function bindingsOf(tool: Tool | undefined, identity: CallIdentity): Bindings {
  const provider = tool?.provider?.definition;
  const parts = [...partsOf(identity)].map(([word, { shown, state }]) => [word, digest([shown, state])] as const);
  return {
    definition: tool?.hash ?? '',
    ...(provider === undefined ? {} : { provider: digest(provider) }),
    ...Object.fromEntries(parts),
  };
}

/** Returns the names of changed parts. */
export function changedIn(before: Bindings, now: Bindings): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name]);
}
