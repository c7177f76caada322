import { messageOf } from '../../../../kernel/index.ts';
import { documentError, parseText } from '../parse-document.ts';
import { readConfined } from '../read-confined.ts';
import { applyOverlay } from './apply-overlay.ts';
import { overlayOf } from './overlay-file.ts';

/** Maximum size of an overlay, in bytes. */
const maxBytes = 4 * 1024 * 1024;

export interface AppliedOverlay {
  readonly location: string;
  readonly text: string;
  readonly notes: readonly string[];
  /** Actions that matched nothing, as text. */
  readonly unmatched: readonly string[];
}

/** Reads an overlay and applies it to a document, in place. Throws CONFIG_INVALID with the place of the fault. */
export async function applyOverlayFile(
  overlay: string | { readonly location: string; readonly text: string },
  document: Record<string, unknown>,
): Promise<AppliedOverlay> {
  const { location, text } = typeof overlay === 'string' ? { location: overlay, text: await textOf(overlay) } : overlay;
  const { value, notes } = await parseText(text, location);
  const file = overlayOf(value);
  if (typeof file === 'string') throw documentError(location, `is no overlay: ${file}`);
  try {
    return { location, text, notes: notes.map((note) => `overlay: ${note}`), unmatched: await applyOverlay(file, document) };
  } catch (error) {
    throw documentError(location, `cannot be applied: ${messageOf(error)}`, error);
  }
}

async function textOf(location: string): Promise<string> {
  const read = await readConfined(location, maxBytes);
  if ('refused' in read) throw documentError(location, `cannot be opened: ${read.refused}`);
  return read.text;
}
