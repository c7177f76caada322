/** Problems by jsonc-parser's error code, as continuations of "the JSON is wrong at …:". */
const problems: readonly string[] = [
  'it cannot be read',
  'found something that JSON does not have: names and texts stand in double quotes, and true, false and null are in lower case',
  'expected a number such as -1.5e3, without a plus sign or leading zeros',
  'expected a name in double quotes',
  'expected a value',
  'expected ":" after the name',
  'expected "," between two values',
  'expected "}"',
  'expected "]"',
  'expected nothing more after the value',
  'comments are not allowed here',
  'a comment has no end',
  'a text has no closing quotes on its line',
  'a number has no end',
  'expected four hexadecimal digits after \\u',
  'expected one of " \\ / b f n r t u after a backslash',
  'a control character in a text must be written with a backslash, as in \\n or \\t',
];

export function jsonProblem(code: number): string {
  return problems[code] ?? 'it cannot be read';
}
