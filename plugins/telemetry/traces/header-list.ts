/** A fault of a list of headers, without any part of it: a name that is misread may be a token. */
export interface HeaderFault {
  /** Place in the list, from 1. */
  readonly entry: number;
  readonly what: string;
  /** Consequence: the entry is left out, or nothing can be sent with it. */
  readonly isFatal: boolean;
}

/** Returns the faults of a list `name=value,name=value`, percent-encoded, as the exporter reads it. */
export function headerFaults(list: string): readonly HeaderFault[] {
  return list.split(',').flatMap((text, index) => {
    const fault = text.trim() === '' ? undefined : faultOf(text);
    return fault === undefined ? [] : [{ entry: index + 1, ...fault }];
  });
}

function faultOf(text: string): Omit<HeaderFault, 'entry'> | undefined {
  const minor = (what: string): Omit<HeaderFault, 'entry'> => ({ what, isFatal: false });
  const [pair = ''] = text.split(';', 1);
  const equals = pair.indexOf('=');
  if (equals === -1) return minor('has no "="');
  const name = decoded(pair.slice(0, equals).trim());
  const value = decoded(pair.slice(equals + 1).trim());
  if (name === undefined || value === undefined) return minor('has a "%" that begins no escape; write %25 for it');
  if (name === '') return minor('has no name');
  if (value === '') return minor('has no value');
  // Node.js sends no request with them, and quotes the name in its error.
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return { what: 'has a name that no header can have', isFatal: true };
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) return { what: 'has a character that no header can have', isFatal: true };
  return pair === text ? undefined : minor('has a ";", which ends its value; write %3B for it');
}

/** Returns undefined for a text with a malformed escape. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
