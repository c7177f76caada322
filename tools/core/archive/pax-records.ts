import { BadArchive } from './bad-archive.ts';

/** Used records of an extended header, which describes the next entry (POSIX pax, "Extended Header"). */
export interface PaxRecords {
  path?: string;
  linkpath?: string;
  size?: number;
  mtime?: Date;
}

/**
 * Parses records of the form `<length> <key>=<value>\n`, where the length counts bytes and a value may hold line breaks. Throws
 * BadArchive for damaged records, and for sparse files, whose content is stored in another way.
 */
export function paxRecords(bytes: Buffer): PaxRecords {
  const records: PaxRecords = {};
  for (let from = 0; from < bytes.length; ) {
    const space = bytes.indexOf(0x20, from);
    const digits = bytes.toString('latin1', from, Math.max(from, space));
    const to = from + Number(digits);
    if (!/^[1-9]\d{0,7}$/.test(digits) || to > bytes.length || bytes[to - 1] !== 0x0a)
      throw new BadArchive('it has a damaged extended header');
    // Own text: names, in which U+FFFD is counted and refused later
    const record = bytes.toString('utf8', space + 1, to - 1);
    const equals = record.indexOf('=');
    apply(records, record.slice(0, equals), record.slice(equals + 1));
    from = to;
  }
  return records;
}

function apply(records: PaxRecords, key: string, value: string): void {
  if (key.startsWith('GNU.sparse.'))
    throw new BadArchive('it holds sparse files, which cannot be read here. Extract it with another program');
  if (key === 'path' || key === 'linkpath') records[key] = value;
  if (key === 'mtime') records.mtime = new Date(Number(value) * 1000);
  if (key !== 'size') return;
  if (!/^\d{1,16}$/.test(value) || !Number.isSafeInteger(Number(value))) throw new BadArchive('it has a damaged extended header');
  records.size = Number(value);
}
