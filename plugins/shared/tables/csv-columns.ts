/** A value of a field once its type is known; null where there is none. */
export type CsvValue = string | number | boolean | null;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Digits that a number keeps when it is stored as a double (IEEE 754). */
const exactDigits = 15;

/** One name for each column: `column_3` for one without a name, `name_2` for the second of a name. */
export function columnNames(header: readonly string[], width: number): string[] {
  const taken = new Set(header);
  const used = new Set<string>();
  return Array.from({ length: Math.max(header.length, width) }, (_, index) => {
    const written = header[index] ?? '';
    let name = written === '' ? `column_${index + 1}` : written;
    for (let count = 2; used.has(name) || (name !== written && taken.has(name)); count += 1)
      name = `${written || `column_${index + 1}`}_${count}`;
    used.add(name);
    return name;
  });
}

/** How the fields of a column are read: as numbers or as true and false when all of them that are not empty are that, else as text. */
export function readerOf(fields: readonly (string | undefined)[]): (field: string) => CsvValue {
  const filled = fields.filter((field) => field !== undefined && field !== '') as string[];
  if (filled.length > 0 && filled.every(isNumber)) return (field) => (field === '' ? null : Number(field));
  if (filled.length > 0 && filled.every((field) => /^(true|false)$/i.test(field)))
    return (field) => (field === '' ? null : field.toLowerCase() === 'true');
  return (field) => (field === '' ? null : field);
}

/** As JSON writes numbers, and with no more digits than a number keeps. */
function isNumber(field: string): boolean {
  if (!jsonNumber.test(field) || !Number.isFinite(Number(field))) return false;
  const digits = field.replace(/[eE].*$|[-.]/g, '').replace(/^0+/, '');
  return digits.length <= exactDigits;
}
