import { createHash } from 'node:crypto';
import path from 'node:path';
import { type FilesOptions, type OpenedFiles, openFiles } from './open-files.ts';
import { type AppliedOverlay, applyOverlayFile } from './overlay/apply-overlay-file.ts';
import { documentOf } from './parse-document.ts';
import { isUrl, plainLocation } from './reference.ts';
import type { Resolver } from './resolve.ts';
import { createResolver } from './resolver.ts';

export interface OpenOptions extends FilesOptions {
  /** An overlay that changes the document: the absolute path of its file, or its text with the path for messages. */
  readonly overlay?: string | { readonly location: string; readonly text: string } | undefined;
}

/** A document that was opened, with all files to which it refers. */
export interface OpenedDocument {
  readonly location: string;
  /** The root object, with the changes of the overlay. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly resolver: Resolver;
  /** SHA-256 over all texts that were opened, the overlay's too, in hex. Does not depend on the folder. */
  readonly digest: string;
  /** The same without the overlay. */
  readonly documentDigest: string;
  /** Locations of all texts that were opened, the overlay's too. */
  readonly files: readonly string[];
  /** The texts of the document by location, without the overlay's. */
  readonly texts: ReadonlyMap<string, string>;
  /** The text of the overlay, where there is one. */
  readonly overlayText?: string;
  /** Mistakes of the texts, for people. */
  readonly notes: readonly string[];
  /** Actions of the overlay that matched nothing, for people. */
  readonly unmatched: readonly string[];
  /** Returns the `x-toolkit` that the document itself gave an object of it. The object has only that of the overlay. */
  readonly ownSettings: (object: object) => unknown;
}

/**
 * Opens a document with all files to which it refers, and applies the overlay. Throws CONFIG_INVALID for a document or overlay that cannot be
 * read; a broken reference is no error.
 */
export async function openDocument(given: OpenOptions): Promise<OpenedDocument> {
  const options = { ...given, location: plainLocation(given.location) };
  const overlayFile = options.overlay;
  let overlay: AppliedOverlay | undefined;
  const apply = async (value: unknown): Promise<void> => {
    if (overlayFile !== undefined) overlay = await applyOverlayFile(overlayFile, documentOf(value, options.location));
  };
  const check = (value: unknown): unknown => documentOf(value, options.location);
  const files = await openFiles(options, { check, change: overlayFile === undefined ? undefined : apply });
  return openedDocument(files, overlay);
}

function openedDocument(files: OpenedFiles, overlay: AppliedOverlay | undefined): OpenedDocument {
  const { ownSettings, notes, root } = files;
  const { location } = root;
  const documentDigest = digestOf(files, location);
  return {
    location,
    value: root.value as Record<string, unknown>,
    resolver: createResolver(files),
    digest: overlay === undefined ? documentDigest : sha256(`${documentDigest} ${sha256(overlay.text)}`),
    documentDigest,
    files: [...files.texts.keys(), ...(overlay === undefined ? [] : [overlay.location])],
    texts: files.texts,
    ...(overlay === undefined ? {} : { overlayText: overlay.text }),
    notes: [...notes, ...(overlay?.notes ?? [])],
    unmatched: overlay?.unmatched ?? [],
    // Not the files themselves: their texts are not kept.
    ownSettings: (object) => ownSettings.get(object),
  };
}

function digestOf({ texts }: OpenedFiles, root: string): string {
  const named = [...texts].map(([location, text]) => [isUrl(root) ? location : relativeName(location, root), sha256(text)] as const);
  return named.length === 1
    ? sha256([...texts.values()].join(''))
    : sha256(
        named
          .map(([name, digest]) => `${digest} ${name}\n`)
          .sort()
          .join(''),
      );
}

function relativeName(location: string, root: string): string {
  return location === root ? '' : path.relative(path.dirname(root), location).split(path.sep).join('/');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
