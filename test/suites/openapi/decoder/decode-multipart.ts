export interface Part {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly mediaType: string | undefined;
  readonly bytes: Buffer;
}

/** Reads a multipart/form-data body (RFC 7578). Throws where it is none. */
export function decodeMultipart(body: Buffer, contentType: string): readonly Part[] {
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;]+))/i.exec(contentType) ?? [];
  const boundary = Buffer.from(`--${quoted ?? bare?.trim()}`);
  const parts: Part[] = [];
  let at = body.indexOf(boundary);
  if (at < 0) throw new Error('The boundary of the header is not in the body.');
  for (;;) {
    const start = at + boundary.length;
    if (body.subarray(start, start + 2).toString('latin1') === '--') return parts;
    const next = body.indexOf(Buffer.concat([Buffer.from('\r\n'), boundary]), start);
    if (next < 0) throw new Error('A part does not end.');
    parts.push(readPart(body.subarray(start + 2, next)));
    at = next + 2;
  }
}

function readPart(part: Buffer): Part {
  const end = part.indexOf('\r\n\r\n');
  if (end < 0) throw new Error('A part has no end of its headers.');
  const headers = new Map(
    part
      .subarray(0, end)
      .toString('utf8')
      .split('\r\n')
      .map((line): [string, string] => [line.slice(0, line.indexOf(':')).trim().toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const disposition = headers.get('content-disposition') ?? '';
  const quoted = (key: string): string | undefined => {
    const [, value] = new RegExp(`[;\\s]${key}="([^"]*)"`, 'i').exec(disposition) ?? [];
    // As browsers write names: only these three are encoded (WHATWG HTML, multipart form data).
    return value?.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
  };
  return {
    name: quoted('name') ?? '',
    fileName: quoted('filename'),
    mediaType: headers.get('content-type'),
    bytes: part.subarray(end + 4),
  };
}
