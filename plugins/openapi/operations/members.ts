import { excerpt, isPlainObject } from '../../../kernel/index.ts';

/** Returns an own member of an object. */
export function memberOf(value: unknown, name: string): unknown {
  return isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns an own member that is a text with other characters than blanks. */
export function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' && member.slice(0, 1000).trim() !== '' ? member : undefined;
}

/** True for a member that is `true`. Careless writers make a text of it. */
export function isTrue(value: unknown, name: string): boolean {
  const member = memberOf(value, name);
  return member === true || member === 'true';
}

/** Returns a text of the document for a message. Takes the same time for every length. */
export function shortText(text: string, limit: number): string {
  return excerpt(text.slice(0, 2 * limit), limit);
}

/** Returns an object of the members that are not undefined. */
export function defined<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
