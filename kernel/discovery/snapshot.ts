import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Registry } from '../definition/registry/registry.ts';
import { digest } from '../definition/schema/digest.ts';
import type { ExecutionType } from '../definition/schema/execution-type.ts';
import { type CodeFile, keyOfCode, unseen } from '../definition/schema/pinned-code.ts';
import type { Provider, Tool } from '../definition/schema/tool.ts';
import { canonicalJson } from '../json/foreign-json.ts';
import type { PendingChange } from '../source/source.ts';
import { LongWork } from '../time/long-work.ts';

/** A change that a reload would make. */
export type Change = { readonly change: 'new' | 'changed' } & (
  | { readonly kind: 'resource' | 'resource template' | 'prompt'; readonly pending: PendingChange }
  | { readonly kind: 'tool'; readonly tool: Tool; readonly code: readonly CodeFile[]; readonly differs?: readonly string[] }
  | { readonly kind: 'provider'; readonly provider: Provider }
);

/** A registry at one moment, with the state of its tools' code. */
export class Snapshot {
  readonly registry: Registry;
  readonly #code: ReadonlyMap<string, readonly CodeFile[]>;
  #fingerprints: Promise<ReadonlyMap<string, string>> | undefined;
  /** Paths that tools must not touch: those that discovery read or found empty, and files that definitions name. */
  readonly controlFiles: readonly string[];

  private constructor(registry: Registry, code: ReadonlyMap<string, readonly CodeFile[]>, controlFiles: readonly string[]) {
    this.registry = registry;
    this.#code = code;
    this.controlFiles = controlFiles;
  }

  /**
   * Reads the code of tools, and the code that runs with it, as reported by their execution types. `same`: a snapshot whose
   * unchanged tools are not read again. `reads`: what was read already.
   */
  static async of(
    registry: Registry,
    types: ReadonlyMap<string, ExecutionType>,
    { same, reads = new Map() }: { readonly same?: Snapshot | undefined; readonly reads?: Map<string, unknown> } = {},
  ): Promise<Snapshot> {
    const work = new LongWork();
    const code = new Map<string, readonly CodeFile[]>();
    const hashes = new Map<string, CodeFile>();
    const controlFiles = new Set([...registry.opened, ...(same?.controlFiles ?? [])]);
    const folders = registry.opened.map((place) => place + path.sep);
    const rejected = new Set(registry.unseen.map((file) => `${keyOfCode(file)} ${file.sha256}`));
    const accepted = (file: CodeFile): CodeFile =>
      rejected.size > 0 && rejected.has(`${keyOfCode(file)} ${file.sha256}`) ? { ...file, sha256: unseen } : file;
    for (const tool of registry.tools.values()) {
      if (work.isDue) await work.yieldToEventLoop();
      if (same?.registry.tools.get(tool.name) === tool) {
        const known = same.#code.get(tool.name);
        if (known !== undefined) code.set(tool.name, known);
        continue;
      }
      const files = tool.codeFiles(types);
      const { files: pinned = [], reserved = [] } = tool.pinned(types, reads) ?? {};
      for (const file of files) if (!hashes.has(file)) hashes.set(file, accepted(hashed(file)));
      for (const place of [...files, ...reserved]) if (!folders.some((folder) => place.startsWith(folder))) controlFiles.add(place);
      if (files.length + pinned.length > 0)
        code.set(tool.name, [...files.map((file) => hashes.get(file) as CodeFile), ...pinned.map(accepted)]);
    }
    return new Snapshot(registry, code, [...controlFiles]);
  }

  /** Stores the code state in the tools. */
  hold(): void {
    for (const tool of this.registry.tools.values()) tool.holdCode(this.#code.get(tool.name));
  }

  /** Returns a fingerprint for each tool and provider (`tool pay`, `provider bank`). It changes when their effect may. */
  fingerprints(): Promise<ReadonlyMap<string, string>> {
    this.#fingerprints ??= this.#computeFingerprints();
    return this.#fingerprints;
  }

  /** Returns new and changed items. A changed provider is listed once, without its tools. */
  async changesSince(before: Snapshot): Promise<readonly Change[]> {
    const [fingerprints, oldMarks] = [await this.fingerprints(), await before.fingerprints()];
    const changeOf = (key: string): Change['change'] | undefined => {
      const old = oldMarks.get(key);
      if (old === fingerprints.get(key)) return undefined;
      return old === undefined ? 'new' : 'changed';
    };
    const changes: Change[] = [];
    for (const provider of this.registry.providers.values()) {
      const change = changeOf(`provider ${provider.name}`);
      if (change !== undefined) changes.push({ kind: 'provider', change, provider });
    }
    for (const tool of this.registry.tools.values()) {
      const change = changeOf(`tool ${tool.name}`);
      if (change !== undefined) changes.push({ kind: 'tool', change, tool, code: this.#codeOf(tool) });
    }
    return changes;
  }

  async #computeFingerprints(): Promise<ReadonlyMap<string, string>> {
    const work = new LongWork();
    const fingerprints = new Map<string, string>();
    for (const provider of this.registry.providers.values()) fingerprints.set(`provider ${provider.name}`, fingerprintOfProvider(provider));
    for (const tool of this.registry.tools.values()) {
      if (work.isDue) await work.yieldToEventLoop();
      fingerprints.set(`tool ${tool.name}`, fingerprintOfTool(tool, this.#codeOf(tool)));
    }
    return fingerprints;
  }

  #codeOf({ name }: Tool): readonly CodeFile[] {
    return this.#code.get(name) ?? [];
  }
}

/** Returns the digest of a list of changes. */
export function digestOf(changes: readonly Change[]): string {
  const fingerprints = changes.map((change) => [change.change, ...fingerprintOfChange(change)]);
  return digest(fingerprints);
}

function fingerprintOfChange(change: Change): readonly unknown[] {
  if (change.kind === 'tool') return [[change.tool.name, fingerprintOfTool(change.tool, change.code)]];
  if (change.kind === 'provider') return [[change.provider.name, fingerprintOfProvider(change.provider)]];
  const { source, kind, name, definition } = change.pending;
  return [source, kind, name, canonicalJson(definition)];
}

function fingerprintOfTool(tool: Tool, code: readonly CodeFile[]): string {
  const { provider, origin } = tool;
  const { trust, directory, source } = origin;
  const shared = [provider?.name, trust, directory, code];
  return digest([tool.hash, ...shared, ...(source === undefined ? [] : [source.name])]);
}

function fingerprintOfProvider({ definition, hash = digest(definition), origin: { trust } }: Provider): string {
  return digest([hash, trust]);
}

function hashed(file: string): CodeFile {
  try {
    return { file, sha256: hash('sha256', readFileSync(file), 'hex') };
  } catch {
    return { file, sha256: '' };
  }
}
