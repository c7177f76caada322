/** Returns the headers by name in lower case. Values of a repeated header, Set-Cookie included, are joined with a comma. */
export function responseHeaders(headers: Headers): Readonly<Record<string, string>> {
  // `fromEntries` collapses names that an iteration repeats (Set-Cookie), and is safe for names such as __proto__.
  return Object.fromEntries([...headers.keys()].map((name) => [name, headers.get(name) ?? '']));
}
