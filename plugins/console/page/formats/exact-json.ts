/** Members of the JSON proposal "JSON.parse source text access", which browsers of 2025 have. */
interface ExactJson {
  readonly rawJSON?: (text: string) => unknown;
}

/** Reads JSON; an integer that a number cannot hold keeps its digits, so that a person sees the value that the call has. */
export function parseExact(text: string): unknown {
  const { rawJSON } = JSON as unknown as ExactJson;
  if (rawJSON === undefined) return JSON.parse(text); // No number: browsers without source text access show the nearest one.
  // No number: those that would be rounded keep their text.
  return JSON.parse(text, ((_: string, value: unknown, context?: { source?: string }) => {
    const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '');
    return isRounded ? rawJSON(context?.source ?? '') : value;
  }) as (this: unknown, key: string, value: unknown) => unknown);
}
