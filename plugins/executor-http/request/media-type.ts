/** Returns the media type of a file by its extension; application/octet-stream for an unknown one. */
export async function mediaTypeOf(name: string): Promise<string> {
  const { detectMimeType } = await import('nodemailer/lib/mime-funcs/mime-types');
  return detectMimeType(name.toLowerCase());
}
