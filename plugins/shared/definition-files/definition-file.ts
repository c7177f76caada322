import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type DiscoverSink, isPlainObject, nearest, type Origin, type Position } from '../../../kernel/index.ts';
import { decodeUtf8 } from '../text/utf8.ts';
import type { ParsedDefinition } from './definition-text.ts';
import { readDefinition } from './earlier-form/read-definition.ts';
import type { FileKind, LinkCache } from './link-cache.ts';
import type { KnownValues } from './manifest.ts';
import { parseSkill, skillFileName } from './skill-file.ts';

/** Cached values and link results of files. */
export interface FileSources {
  /** Values of texts that are part of the build, and need no parsing. @default none */
  readonly known?: KnownValues | undefined;
  /** Link results of definitions, which need no linking. @default none */
  readonly linkCache?: LinkCache | undefined;
}

type Parsed = ReturnType<typeof readDefinition>;

/** One file with a definition or a skill. Its text is parsed only when a part of it is needed. */
export class DefinitionFile {
  readonly #file: string;
  readonly #hash: string;
  readonly #origin: Omit<Origin, 'plugin'>;
  readonly #sources: FileSources;
  /** The text, while it may be needed for parsing. */
  #text: string | undefined;
  #parsed: Parsed | undefined;

  /** Decodes `content` as UTF-8. The caller may overwrite `content` afterwards. */
  constructor(file: string, content: Buffer, owner: Pick<Origin, 'trust' | 'package' | 'isBuiltIn' | 'root'>, sources: FileSources) {
    this.#file = file;
    this.#hash = this.#hashOf(content);
    this.#sources = sources;
    if (sources.linkCache?.kindOf(this.#hash) === undefined || this.#isSkill) this.#text = decodeUtf8(content).text;
    const locate = (pointer: string) => this.#locate(pointer);
    this.#origin = { file, directory: path.dirname(file), ...owner, locate };
  }

  get #isSkill(): boolean {
    return path.basename(this.#file) === skillFileName;
  }

  /** Adds the file to the sink; a file that cannot be parsed adds its problems. */
  addTo(sink: DiscoverSink): FileKind | 'broken' {
    const { linkCache } = this.#sources;
    const known = linkCache?.kindOf(this.#hash);
    if (known === 'tool' || known === 'provider') {
      this.#addLinked(sink, known, () => this.#value());
      return known;
    }
    if (known === 'other') {
      linkCache?.read(this.#hash);
      return known;
    }
    const value = known === 'skill' ? linkCache?.read(this.#hash)?.head : this.#value(sink);
    if (value === undefined) return 'broken';
    const kind = this.#isSkill ? 'skill' : kindOf(value);
    if (kind === 'tool' || kind === 'provider') this.#addLinked(sink, kind, () => value);
    else if (known === undefined) linkCache?.store(this.#hash, kind, { head: kind === 'skill' ? value : null, body: () => undefined });
    if (kind === 'skill') sink.addSkill(value, this.#text ?? '', this.#origin);
    return kind;
  }

  /** Frees the text and the parsed value. */
  release(): void {
    this.#text = undefined;
    this.#parsed = undefined;
  }

  #addLinked(sink: DiscoverSink, kind: 'tool' | 'provider', definition: () => unknown): void {
    const { linkCache: forms } = this.#sources;
    if (forms === undefined) {
      if (kind === 'tool') sink.addTool(definition(), this.#origin);
      else sink.addProvider(definition(), this.#origin);
      return;
    }
    const hash = this.#hash;
    sink.addCached(
      { kind, definition, read: (key) => forms.read(hash, key), store: (key, form) => forms.store(hash, kind, form, key) },
      this.#origin,
    );
  }

  /** Returns the text's value. Adds problems of the text to the sink. */
  #value(sink: Pick<DiscoverSink, 'addProblem'> | undefined = undefined): unknown {
    const text = this.#text ?? this.#textNow();
    const known = text === undefined ? undefined : this.#sources.known?.(text);
    if (known !== undefined) return known;
    if (text === undefined) throw new Error('the file has changed while it was read');
    const parsed = this.#parse(text);
    if ('value' in parsed) return parsed.value;
    for (const problem of parsed.problems) sink?.addProblem(problem);
    return undefined;
  }

  #parse(text: string): Parsed {
    this.#parsed ??= (this.#isSkill ? parseSkill : readDefinition)(text, this.#file);
    return this.#parsed;
  }

  /** Returns the position of a pointer. Undefined also when the file has changed since. */
  #locate(pointer: string): Position | undefined {
    const text = this.#text ?? this.#textNow();
    const parsed = this.#parsed ?? (text === undefined ? undefined : this.#parse(text));
    return parsed !== undefined && 'locate' in parsed ? (parsed as ParsedDefinition).locate(pointer) : undefined;
  }

  #textNow(): string | undefined {
    try {
      const content = readFileSync(this.#file);
      return this.#hashOf(content) === this.#hash ? decodeUtf8(content).text : undefined;
    } catch {
      return undefined;
    }
  }

  /** Prefixes skills: the same text has another value as a skill. */
  #hashOf(content: Buffer): string {
    return `${this.#isSkill ? 'skill ' : ''}${hash('sha256', content, 'base64url')}`;
  }
}

/**
 * Classifies a definition: a provider has `provider`, a tool has `execution`. A file with other keys of one kind and a near miss of the
 * missing one counts as that kind, so that the mistake is reported. Any other file is no definition.
 */
export function kindOf(value: unknown): 'provider' | 'tool' | 'other' {
  const keys = isPlainObject(value) ? Object.keys(value) : [];
  const has = (key: string): boolean => keys.includes(key);
  const resembles = (key: string): boolean => keys.some((written) => nearest(written, [key]).length > 0);
  if (has('execution')) return 'tool';
  if (has('provider')) return 'provider';
  if (has('name') && (has('description') || has('parameters') || resembles('execution'))) return 'tool';
  return resembles('provider') && ['parameter_mapping', 'oauth2', 'base_url'].some(has) ? 'provider' : 'other';
}
