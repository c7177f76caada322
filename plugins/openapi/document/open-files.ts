import path from 'node:path';
import { messageOf } from '../../../kernel/index.ts';
import { type OwnSettings, takeSettings } from './own-settings.ts';
import { documentError, parseText } from './parse-document.ts';
import { type ReadText, readConfined } from './read-confined.ts';
import { isUrl, locationOf, parseReference } from './reference.ts';
import { type DocumentFile, type ResolverParts, referenceOf } from './resolver.ts';
import { type Visited, walkValues } from './walk-values.ts';

/** Maximum files of one document, and bytes of all together. */
const maxFiles = 200;
const maxTotalBytes = 64 * 1024 * 1024;

export interface FilesOptions {
  /** An absolute path or a URL. */
  readonly location: string;
  /** Reads the text at the location. @default the file there; a URL needs it */
  readonly read?: ((location: string) => Promise<string>) | undefined;
  /** Texts of further documents by location, in place of files and URLs, which are not opened. */
  readonly texts?: ReadonlyMap<string, string> | undefined;
  /** True to open nothing but `texts`: what is missing there is a broken reference. @default false */
  readonly onlyTexts?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The files of a document: its own, and all to which its references lead. */
export interface OpenedFiles extends ResolverParts {
  readonly root: DocumentFile;
  /** Texts in the order of opening, by location. */
  readonly texts: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
  readonly ownSettings: OwnSettings;
}

/** Steps with the value of the document itself, before its references are opened. */
export interface RootSteps {
  /** Throws for a value that is no document. */
  readonly check: (value: unknown) => void;
  /** Changes the value in place. Its own settings are taken out of it before. */
  readonly change?: ((value: unknown) => Promise<void>) | undefined;
}

/** Opens a document and the files to which it refers, inside its folder. Throws CONFIG_INVALID when the document itself cannot be read. */
export async function openFiles(options: FilesOptions, steps: RootSteps): Promise<OpenedFiles> {
  const opening = new Opening(options);
  const root = await opening.open(options.location, steps);
  if (typeof root === 'string') throw documentError(options.location, `cannot be opened: ${root}`);
  await opening.openReferences();
  const { files, unread, ids, texts, notes, ownSettings, locate } = opening;
  return { files, unread, ids, texts, notes, ownSettings, locate, root };
}

class Opening {
  readonly files = new Map<string, DocumentFile>();
  readonly unread = new Map<string, string>();
  readonly ids = new Map<string, { location: string; pointer: string }>();
  readonly texts = new Map<string, string>();
  readonly notes: string[] = [];
  readonly ownSettings: OwnSettings = new WeakMap();
  readonly locate: ResolverParts['locate'];
  readonly #options: FilesOptions;
  /** Locations to open, in the order in which they were found. */
  readonly #pending = new Set<string>();
  #bytes = 0;

  constructor(options: FilesOptions) {
    this.#options = options;
    const { location, texts } = options;
    this.locate = (file, base) => locationOf(file, base, location, (known) => known === location || texts?.has(known) === true);
  }

  /** Opens all files to which opened ones refer. One that cannot be opened is a broken reference, no error. */
  async openReferences(): Promise<void> {
    // The loop also visits what is added meanwhile.
    for (const location of this.#pending) {
      if (this.files.has(location)) continue;
      this.#options.signal?.throwIfAborted();
      const opened = this.files.size < maxFiles ? await this.#tryToOpen(location) : `the document has more than ${maxFiles} files`;
      if (typeof opened === 'string') this.unread.set(location, opened);
    }
  }

  async #tryToOpen(location: string): Promise<DocumentFile | string> {
    try {
      return await this.open(location);
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      return messageOf(error);
    }
  }

  async open(location: string, root?: RootSteps): Promise<DocumentFile | string> {
    const read = await this.#read(location);
    if ('refused' in read) return read.refused;
    this.#bytes += read.bytes;
    const { value, notes } = await parseText(read.text, location, this.#options.signal);
    const name = path.basename(location);
    this.notes.push(...notes.map((note) => (location === this.#options.location ? note : `${name}: ${note}`)));
    root?.check(value);
    const take = ({ value: object }: Visited): void => takeSettings(object, this.ownSettings);
    if (root?.change !== undefined) {
      await walk(location, value, take);
      await root.change(value);
    }
    const anchors = new Map<string, string>();
    await walk(location, value, (visited) => {
      // After a change, `x-toolkit` is that of the overlay.
      if (root?.change === undefined) take(visited);
      this.#collect(visited, location, anchors);
    });
    const file = { location, value, anchors };
    this.files.set(location, file);
    this.texts.set(location, read.text);
    return file;
  }

  /** Records the references that leave the file, and the names by which others refer to the object. */
  #collect({ value, pointer }: Visited, location: string, anchors: Map<string, string>): void {
    const reference = referenceOf(value);
    if (reference !== undefined && !reference.startsWith('#')) {
      const named = this.locate(parseReference(reference).file, location);
      if ('location' in named) this.#pending.add(named.location);
    }
    for (const name of ['$anchor', '$dynamicAnchor']) {
      const anchor = Object.hasOwn(value, name) ? value[name] : undefined;
      if (typeof anchor === 'string' && !anchors.has(anchor)) anchors.set(anchor, pointer());
    }
    const id = Object.hasOwn(value, '$id') ? value['$id'] : undefined;
    if (typeof id === 'string' && id !== '' && !this.ids.has(id)) this.ids.set(id, { location, pointer: pointer() });
  }

  async #read(location: string): Promise<ReadText> {
    const { location: root, texts, read, onlyTexts } = this.#options;
    const maxBytes = maxTotalBytes - this.#bytes;
    const given = texts?.get(location);
    if (given === undefined && onlyTexts === true) return { refused: `"${path.basename(location)}" is not among the given texts` };
    if (given === undefined && (location !== root || read === undefined)) {
      if (isUrl(location)) return { refused: 'a URL is opened only by the function "read"' };
      return readConfined(location, maxBytes, location === root ? undefined : path.dirname(root));
    }
    const text = given ?? (await (read as NonNullable<typeof read>)(location));
    const bytes = Buffer.byteLength(text);
    return bytes > maxBytes ? { refused: `it is too large: expected at most ${maxBytes} bytes, received ${bytes}` } : { text, bytes };
  }
}

async function walk(location: string, value: unknown, visit: (object: Visited) => void): Promise<void> {
  const excess = await walkValues(value, visit);
  if (excess !== undefined) throw documentError(location, excess);
}
