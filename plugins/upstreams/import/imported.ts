import type { Secret } from '../../../kernel/index.ts';

/** A server in the form of this program's configuration. */
export interface ImportedServer {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly transport?: 'stdio' | 'http' | 'sse';
  readonly tools?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
  readonly timeoutMs?: number;
}

/** A secret to store, or one that the user must give. */
export interface ImportedSecret {
  readonly name: string;
  /** The value in the file; undefined where the client asks for it, or takes it from its environment. */
  readonly value?: Secret;
  /** The place in the file, such as `github: env GITHUB_TOKEN`. */
  readonly usedBy: readonly string[];
}

export interface ImportedServers {
  readonly servers: ReadonlyMap<string, ImportedServer>;
  readonly secrets: readonly ImportedSecret[];
  /** Servers that cannot be taken. `reason` continues a sentence that begins with the name. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
  /** Changes that the user should know of, such as `my server: is called my-server here`. */
  readonly notes: readonly string[];
}
