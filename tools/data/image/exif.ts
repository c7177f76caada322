/** Camera data of a photograph; absent members were not recorded. */
export interface Exif {
  readonly make?: string;
  readonly model?: string;
  readonly lens?: string;
  /** ISO 8601, with an offset when the camera recorded it. */
  readonly taken_at?: string;
  /** Orientation from 1 to 8; 6 and 8 mean that width and height are swapped. */
  readonly orientation?: number;
  readonly software?: string;
  /** In degrees. */
  readonly latitude?: number;
  readonly longitude?: number;
}

/** Reads EXIF data of a JPEG, TIFF, PNG, WebP or HEIC picture; undefined when there are none. */
export async function exifOf(content: Buffer): Promise<Exif | undefined> {
  const { default: ExifReader } = await import('exifreader');
  try {
    const tags = ExifReader.load(content, { expanded: true, excludeTags: { xmp: true, icc: true } });
    const { exif = {}, gps = {} } = tags as { exif?: Tags; gps?: { Latitude?: number; Longitude?: number } };
    const facts: Exif = withoutUndefined({
      make: text(exif['Make']),
      model: text(exif['Model']),
      lens: text(exif['LensModel']),
      taken_at: takenAt(text(exif['DateTimeOriginal']), text(exif['OffsetTimeOriginal'])),
      orientation: typeof exif['Orientation']?.value === 'number' ? exif['Orientation'].value : undefined,
      software: text(exif['Software']),
      latitude: gps.Latitude,
      longitude: gps.Longitude,
    });
    return Object.keys(facts).length === 0 ? undefined : facts;
  } catch {
    // Broken data counts as no data.
    return undefined;
  }
}

type Tags = Readonly<Record<string, { readonly description?: unknown; readonly value?: unknown } | undefined>>;

function text(tag: { readonly description?: unknown } | undefined): string | undefined {
  const description = typeof tag?.description === 'string' ? tag.description.trim() : '';
  return description === '' ? undefined : description.slice(0, 200);
}

/** Converts a camera's time, "2026:03:01 10:20:30", to ISO 8601. */
function takenAt(time: string | undefined, offset: string | undefined): string | undefined {
  const parts = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(time ?? '');
  return parts === null
    ? undefined
    : `${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}${/^[+-]\d\d:\d\d$/.test(offset ?? '') ? offset : ''}`;
}

function withoutUndefined<Facts extends object>(facts: Facts): { [Name in keyof Facts]: Exclude<Facts[Name], undefined> } {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as never;
}
