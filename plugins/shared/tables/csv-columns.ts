/** Value of a field after its column's type is known; null when it is empty. */
export type CsvValue = string | number | boolean | null;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Digits that a double keeps exactly (IEEE 754). */
const exactDigits = 15;

/** Returns a unique name for each column: `column_3` for an unnamed one, `name_2` for the second of a name. */
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

/** Returns the parser of a column: numbers or booleans when all nonempty fields are such, else text. */
export function readerOf(fields: readonly (string | undefined)[]): (field: string) => CsvValue {
  const filled = fields.filter((field) => field !== undefined && field !== '') as string[];
  if (filled.length > 0 && filled.every(isNumber)) return (field) => (field === '' ? null : Number(field));
  if (filled.length > 0 && filled.every((field) => /^(true|false)$/i.test(field)))
    return (field) => (field === '' ? null : field.toLowerCase() === 'true');
  return (field) => (field === '' ? null : field);
}

/** True for a number as JSON writes it, with no more digits than a double keeps. */
function isNumber(field: string): boolean {
  if (!jsonNumber.test(field) || !Number.isFinite(Number(field))) return false;
  const digits = field.replace(/[eE].*$|[-.]/g, '').replace(/^0+/, '');
  return digits.length <= exactDigits;
}
