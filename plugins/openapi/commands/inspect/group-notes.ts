/** Notes of one kind, with the places that they concern. */
export interface NoteGroup {
  /** The first note of the kind. */
  readonly note: string;
  readonly count: number;
  /** The first places, such as `get /files/{file_id}`. */
  readonly places: readonly string[];
  /** The first detail. */
  readonly detail?: string;
}

export interface PlacedNote {
  readonly note: string;
  readonly place: string;
  readonly detail?: string;
}

/** Maximum number of places that are named. */
const maxPlaces = 3;

/** Groups notes that differ only in quoted names and numbers; the largest group comes first. */
export function groupNotes(notes: readonly PlacedNote[]): readonly NoteGroup[] {
  const groups = new Map<string, { note: string; count: number; places: string[]; detail?: string }>();
  for (const { note, place, detail } of notes) {
    const kind = note.replace(/"[^"]*"|\d+/g, '*');
    const group = groups.get(kind) ?? { note, count: 0, places: [], ...(detail === undefined ? {} : { detail }) };
    group.count++;
    if (group.places.length < maxPlaces && !group.places.includes(place)) group.places.push(place);
    groups.set(kind, group);
  }
  return [...groups.values()].sort((one, other) => other.count - one.count);
}
