import { asText, type Lookup, parseTemplate, writeMarked } from '../../../kernel/index.ts';

/** True for the media type of a form. */
export function isForm(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/x-www-form-urlencoded\b/i.test(contentType);
}

/** True for a JSON media type, including types such as application/problem+json. */
export function isJsonType(contentType: string): boolean {
  return /[/+.-]json\b/i.test(contentType);
}

/** True for a type in which an object or list can be sent: JSON of any kind, or a form. */
export function acceptsValues(contentType: string | undefined): boolean {
  return contentType === undefined || isJsonType(contentType) || isForm(contentType);
}

/**
 * Renders a JSON text. Inside a JSON string a value is escaped text, so that it cannot end the string. Anywhere else it is a
 * JSON value of its own, so that it cannot add members. Returns undefined where a value is missing.
 */
export function renderJsonText(template: string, lookup: Lookup): string | undefined {
  let text = '';
  let isInString = false;
  for (const part of parseTemplate(template)) {
    if (typeof part === 'string') {
      text += part;
      // Quotes toggle, escaped ones do not.
      for (const [character] of part.matchAll(/\\.|"/gs)) if (character === '"') isInString = !isInString;
      continue;
    }
    const value = lookup(part.name);
    if (value === undefined) return undefined;
    text += isInString ? JSON.stringify(asText(value)).slice(1, -1) : writeMarked(value);
  }
  return text;
}

/** Returns the kind of JSON that a template becomes; undefined where it is no JSON. */
export function jsonKind(template: string): 'object or list' | 'other' | undefined {
  try {
    // No number: is it JSON?
    const value: unknown = JSON.parse(renderJsonText(template, () => null) ?? '');
    return typeof value === 'object' && value !== null ? 'object or list' : 'other';
  } catch {
    return undefined;
  }
}
