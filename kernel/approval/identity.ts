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
  /** The thing that it sends, replaces or throws away, where no path says so: a commit, the changes of a working tree. */
  readonly content?: IdentityPart;
  /** The program as it is found: its absolute path, links followed. */
  readonly program?: IdentityPart;
  /** The folder in which the program runs, links followed. */
  readonly folder?: IdentityPart;
  /** The modules that the definition names. */
  readonly code?: IdentityPart;
  /** The files and folders that the call names, by path. */
  readonly files?: Readonly<Record<string, IdentityPart>>;
}

export const identityParts = ['destination', 'content', 'program', 'folder', 'code'] as const satisfies readonly (keyof CallIdentity)[];

/** What an approval holds for: by the word for it, a digest (sha256, hex). */
export type Bindings = Readonly<Record<string, string>>;

/** Returns the parts of an identity by the word that a person reads, such as `destination` or `"notes/a.txt"`. */
export function partsOf(identity: CallIdentity): ReadonlyMap<string, IdentityPart> {
  const named = identityParts.flatMap((name) => (identity[name] === undefined ? [] : [[name, identity[name]] as const]));
  const files = Object.entries(identity.files ?? {}).map(([path, part]) => [JSON.stringify(path), part] as const);
  return new Map<string, IdentityPart>([...named, ...files]);
}

/** Joins what several plugins say of one call. A path that two of them name is bound to both states. */
export function joinIdentities(identities: readonly CallIdentity[]): CallIdentity {
  const files = new Map<string, IdentityPart>();
  for (const [path, part] of identities.flatMap((identity) => Object.entries(identity.files ?? {}))) {
    const known = files.get(path);
    files.set(path, known === undefined ? part : { ...part, state: digest([known.shown, known.state, part.state]) });
  }
  const parts: CallIdentity = Object.assign({}, ...identities);
  return files.size === 0 ? parts : { ...parts, files: Object.fromEntries(files) };
}

/** All that an approval holds for but the parameters and the caller. `tool`: undefined when it is not registered any more. */
export function bindingsOf(tool: Tool | undefined, identity: CallIdentity): Bindings {
  const provider = tool?.provider?.definition;
  const parts = [...partsOf(identity)].map(([word, { shown, state }]) => [word, digest([shown, state])] as const);
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
