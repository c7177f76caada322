/** The characters that mean something in HTML as references. */
export async function encode({ text }: { readonly text: string }): Promise<{ escaped: string }> {
  const { escapeUTF8 } = await import('entities');
  return { escaped: escapeUTF8(text) };
}

/** The characters that the references of HTML stand for, U+FFFD for the number of none. What is no reference, or an unknown one, stays. */
export async function decode({ escaped }: { readonly escaped: string }): Promise<{ text: string }> {
  const { decodeHTMLStrict } = await import('entities');
  return { text: decodeHTMLStrict(escaped) };
}
