import type { GeneratedSource } from './generate/generated.ts';
import type { ApiDocument } from './operations/operation.ts';
import type { DocumentSource } from './options.ts';
import type { SchemaConverter } from './schemas/schema-converter.ts';

/** The texts from which a source is made. */
export interface SourceTexts {
  /** The document: an absolute path or a URL. */
  readonly location: string;
  /** Texts by location. Given: nothing else is opened. @default the file at `location`, and those to which it refers */
  readonly texts?: ReadonlyMap<string, string>;
  /** The overlay: the path of its file, or its text with the path for messages. */
  readonly overlay?: string | { readonly location: string; readonly text: string };
}

export interface LoadRequest extends SourceTexts {
  readonly name: string;
  readonly source: DocumentSource;
  /** Tool names that stay as they are, by key of the operation. */
  readonly names: ReadonlyMap<string, string>;
  /** Name of the secret with the access token of the caller's account. @default the source has names of its own */
  readonly accountToken?: string;
  readonly signal?: AbortSignal;
}

/** A document with the tools that are made of it. */
export interface LoadedSource {
  readonly document: ApiDocument;
  readonly generated: GeneratedSource;
  readonly schemas: SchemaConverter;
  /** All texts that were opened, by location; without the overlay. */
  readonly texts: ReadonlyMap<string, string>;
  readonly overlay?: string;
  /** Actions of the overlay that match nothing, for people. */
  readonly unmatched: readonly string[];
  /** Mistakes of the texts, for people. */
  readonly notes: readonly string[];
}

export type LoadSource = (request: LoadRequest) => Promise<LoadedSource>;
