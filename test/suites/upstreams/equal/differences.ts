/** Maximum characters of a value in a difference. */
const shown = 160;

/** Returns each place in which two values differ, as `answer.content[0].text: "a" through us, "b" directly`. */
export function differences(throughUs: unknown, directly: unknown, path = ''): readonly string[] {
  if (Object.is(throughUs, directly)) return [];
  const isList = Array.isArray(throughUs) && Array.isArray(directly);
  if (!isList && !(isObject(throughUs) && isObject(directly)))
    return [`${path}: ${textOf(throughUs)} through us, ${textOf(directly)} directly`];
  const [ours, theirs] = [throughUs, directly] as [Record<string, unknown>, Record<string, unknown>];
  return [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].flatMap((key) =>
    differences(ours[key], theirs[key], isList ? `${path}[${key}]` : `${path}${path === '' ? '' : '.'}${key}`),
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, shown);
}
