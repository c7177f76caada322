import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

export interface CodedBody {
  readonly name: string;
  readonly coding: string;
  readonly bytes: Buffer;
}

const codings = [
  { name: 'gzip', coding: 'gzip', encode: gzipSync },
  { name: 'deflate', coding: 'deflate', encode: deflateSync },
  { name: 'deflate without a header', coding: 'deflate', encode: deflateRawSync },
  { name: 'br', coding: 'br', encode: brotliCompressSync },
  { name: 'gzip twice', coding: 'gzip, gzip', encode: (bytes: Buffer) => gzipSync(gzipSync(bytes)) },
];

/** A text in each coding, whole. */
export function wholeBodies(text: string): readonly CodedBody[] {
  return codings.map(({ name, coding, encode }) => ({ name, coding, bytes: encode(Buffer.from(text)) }));
}

/** A text in each coding without its last byte, so that all of the text is there, and without its last half. */
export function cutBodies(text: string): readonly CodedBody[] {
  return wholeBodies(text).flatMap(({ name, coding, bytes }) => [
    { name: `${name}, the last byte lost`, coding, bytes: bytes.subarray(0, -1) },
    { name: `${name}, the last half lost`, coding, bytes: bytes.subarray(0, bytes.length >> 1) },
  ]);
}

/** Answers with a coded body, whose length is told as it is sent. */
export function sendCoded(response: ServerResponse, { coding, bytes }: CodedBody, contentType: string, status = 200): void {
  response.writeHead(status, { 'content-type': contentType, 'content-encoding': coding, 'content-length': bytes.length }).end(bytes);
}
