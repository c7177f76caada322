import { ToolkitError } from '../../../../../kernel/index.ts';

/**
 * Appends these values to the text of a dotenv file. Existing lines stay unchanged. Throws CONFIG_INVALID, without the value in the
 * message, for a name that already has a value, or when dotenv would read another value.
 */
export async function withValues(text: string, values: ReadonlyMap<string, string>): Promise<string> {
  const { parse } = await import('dotenv');
  const lineFeed = text.includes('\r\n') ? '\r\n' : '\n';
  const expected: Record<string, string> = parse(text);
  let next = text === '' || text.endsWith('\n') ? text : text + lineFeed;
  for (const [name, value] of values) {
    if (expected[name]) throw refused(name, 'has a value there already');
    // An unescaped dollar sign would begin a reference.
    const escaped = value.replaceAll('$', '\\$');
    const quoted = quotings(escaped).find((one) => parse(`${name}=${one}`)[name] === escaped);
    if (quoted === undefined) throw refused(name, 'has characters that such a file cannot hold, or not together');
    next += `${name}=${quoted}${lineFeed}`;
    expected[name] = escaped;
  }
  const found = parse(next);
  const changedName = Object.keys({ ...expected, ...found }).find((name) => found[name] !== expected[name]);
  if (changedName !== undefined)
    throw new ToolkitError(
      'CONFIG_INVALID',
      `Another line in the file of secrets would change the value of ${changedName}, because a quote above it is not closed. Close that quote, and run this again.`,
    );
  return next;
}

/** Returns the ways to quote a value, the plainest first. */
function quotings(value: string): string[] {
  const oneLine = value.replaceAll('\r', '\\r').replaceAll('\n', '\\n');
  return [...(/[\s#'"`]/.test(value) ? [] : [value]), ...[`'`, '"', '`'].map((quote) => quote + value + quote), `"${oneLine}"`];
}

function refused(name: string, why: string): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', `${name} cannot be written: it ${why}. Write it into the file by hand.`);
}
