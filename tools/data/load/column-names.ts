/**
 * Returns a unique name for each column of a table: that of its header, with a number after a repeated one, and `column0`
 * without a header.
 */
export function columnNames(header: readonly unknown[], width: number): readonly string[] {
  const taken = new Set<string>();
  return Array.from({ length: width }, (_, index) => {
    const written = header[index];
    const base = written === null || written === undefined || String(written).trim() === '' ? `column${index}` : String(written).trim();
    let name = base;
    // The database compares names without case.
    for (let number = 1; taken.has(name.toLowerCase()); number += 1) name = `${base}_${number}`;
    taken.add(name.toLowerCase());
    return name;
  });
}
