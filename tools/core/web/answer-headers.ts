/** Headers by name in lower case; the values of a repeated one, Set-Cookie included, are joined with a comma. */
export function answerHeaders(headers: Headers): Readonly<Record<string, string>> {
  // Cookies are the one name that an iteration gives several times. `fromEntries` also makes own members of names such as __proto__.
  return Object.fromEntries([...headers.keys()].map((name) => [name, headers.get(name) ?? '']));
}
