/** Returns the media type of a file by the ending of its name; application/octet-stream for one that says nothing. */
export async function mediaTypeOf(name: string): Promise<string> {
  const { detectMimeType } = await import('nodemailer/lib/mime-funcs/mime-types');
  return detectMimeType(name.toLowerCase());
}
