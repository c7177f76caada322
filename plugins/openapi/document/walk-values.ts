import { LongWork } from '../../../kernel/index.ts';

/** Maximum levels of nesting. Public documents have at most 34; later code recurses. */
const maxLevels = 200;

/** Maximum objects and lists. The largest public document has half a million. */
const maxObjects = 3_000_000;

/** An object of a document, with the way to it. */
export interface Visited {
  readonly value: Record<string, unknown>;
  /** Returns its JSON pointer. */
  readonly pointer: () => string;
}

interface Frame {
  readonly value: unknown;
  readonly key: string | number;
  readonly level: number;
  readonly parent: Frame | undefined;
}

/**
 * Visits all objects of a value, in slices between which other work runs. Returns the limit that the value exceeds, as the end of a sentence; it
 * stops there.
 */
export async function walkValues(value: unknown, visit: (object: Visited) => void): Promise<string | undefined> {
  const work = new LongWork();
  const frames: Frame[] = [{ value, key: '', level: 0, parent: undefined }];
  for (let frame = frames.pop(), count = 0; frame !== undefined; frame = frames.pop(), count++) {
    if (frame.level > maxLevels) return `is nested deeper than ${maxLevels} levels. Make it flatter`;
    if (count > maxObjects) return `has more than ${maxObjects} objects and lists. Split it`;
    if ((count & 1023) === 0 && work.isDue) await work.yieldToEventLoop();
    const parent = frame;
    const push = (member: unknown, key: string | number): void => {
      if (typeof member === 'object' && member !== null) frames.push({ value: member, key, level: parent.level + 1, parent });
    };
    if (Array.isArray(frame.value)) frame.value.forEach(push);
    else if (typeof frame.value === 'object' && frame.value !== null) {
      visit({ value: frame.value as Record<string, unknown>, pointer: () => pointerOf(parent) });
      for (const [key, member] of Object.entries(frame.value)) push(member, key);
    }
  }
  return undefined;
}

function pointerOf(frame: Frame): string {
  const segments: string[] = [];
  for (let at: Frame | undefined = frame; at?.parent !== undefined; at = at.parent) segments.push(escapeSegment(String(at.key)));
  return segments.reverse().reduce((pointer, segment) => `${pointer}/${segment}`, '');
}

/** Escapes a member name for a JSON pointer (RFC 6901, section 3). */
export function escapeSegment(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
