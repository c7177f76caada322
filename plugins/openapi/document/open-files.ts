import path from 'node:path';
import { type OwnSettings, takeSettings } from './own-settings.ts';
import { documentError, parseText } from './parse-document.ts';
import { type ReadText, readConfined } from './read-confined.ts';
import { isUrl, locationOf, parseReference } from './reference.ts';
import { type DocumentFile, type ResolverParts, referenceOf } from './resolver.ts';
import { walkValues } from './walk-values.ts';

/** Maximum files of one document, and bytes of all together. */
const maxFiles = 200;
const maxTotalBytes = 64 * 1024 * 1024;

export interface FilesOptions {
  /** An absolute path or a URL. */
  readonly location: string;
  /** Reads the text at a location. @default the file there; a URL needs it */
  readonly read?: ((location: string) => Promise<string>) | undefined;
  /** Texts of further documents by location, in place of files or URLs, which are not opened. */
  readonly texts?: ReadonlyMap<string, string> | undefined;
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

/** Opens a document and the files to which it refers, inside its folder. Throws CONFIG_INVALID when the document itself cannot be read. */
export async function openFiles(options: FilesOptions): Promise<OpenedFiles> {
  const opening = new Opening(options);
  const root = await opening.open(options.location);
  if (typeof root === 'string') throw documentError(options.location, `cannot be opened: ${root}`);
  await opening.openReferences();
  return { ...opening, root };
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
  /** Locations to open. A set keeps the order. */
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
      return (error as Error).message;
    }
  }

  async open(location: string): Promise<DocumentFile | string> {
    const read = await this.#read(location);
    if ('refused' in read) return read.refused;
    this.#bytes += read.bytes;
    const { value, notes } = await parseText(read.text, location, this.#options.signal);
    const name = path.basename(location);
    this.notes.push(...notes.map((note) => (location === this.#options.location ? note : `${name}: ${note}`)));
    const anchors = new Map<string, string>();
    const excess = await walkValues(value, ({ value: object, pointer }) => {
      takeSettings(object as Record<string, unknown>, this.ownSettings);
      const reference = referenceOf(object);
      if (reference !== undefined && !reference.startsWith('#')) this.#refer(reference, location);
      for (const name of ['$anchor', '$dynamicAnchor']) {
        const anchor = Object.hasOwn(object, name) ? object[name] : undefined;
        if (typeof anchor === 'string' && !anchors.has(anchor)) anchors.set(anchor, pointer());
      }
      const id = Object.hasOwn(object, '$id') ? object['$id'] : undefined;
      if (typeof id === 'string' && id !== '' && !this.ids.has(id)) this.ids.set(id, { location, pointer: pointer() });
    });
    if (excess !== undefined) throw documentError(location, excess);
    const file = { location, value, anchors };
    this.files.set(location, file);
    this.texts.set(location, read.text);
    return file;
  }

  #refer(reference: string, base: string): void {
    const place = this.locate(parseReference(reference).file, base);
    if ('location' in place) this.#pending.add(place.location);
  }

  async #read(location: string): Promise<ReadText> {
    const { location: root, texts, read } = this.#options;
    const left = maxTotalBytes - this.#bytes;
    const given = texts?.get(location);
    if (given === undefined && (location !== root || read === undefined)) {
      if (isUrl(location)) return { refused: 'a URL is opened only by the function "read"' };
      return readConfined(location, left, location === root ? undefined : path.dirname(root));
    }
    const text = given ?? (await (read as NonNullable<typeof read>)(location));
    const bytes = Buffer.byteLength(text);
    return bytes > left ? { refused: `it is too large: expected at most ${left} bytes, received ${bytes}` } : { text, bytes };
  }
}
