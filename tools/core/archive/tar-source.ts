import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { refuseOtherKind } from './archive-kind.ts';
import { ByteReader } from './byte-reader.ts';
import { mostlyEmpty } from './tar-members.ts';

const chunkBytes = 262_144;

/** Maximum size after the end of a tar archive inside gzip, in bytes. */
const maxTrailingBytes = 16_777_216;

export interface TarSource {
  readonly reader: ByteReader;
  readonly isCompressed: boolean;
  /** Reads to the end of the gzip data to verify its checksum. */
  finish(): Promise<void>;
}

/** Returns the uncompressed bytes of a tar archive. Throws BadArchive for other formats. */
export async function tarSource(file: FileHandle): Promise<TarSource> {
  const isCompressed = (await refuseOtherKind(file, 'tar')) === 'gzip';
  const stream = file.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkBytes });
  if (!isCompressed) return { reader: new ByteReader(stream), isCompressed, finish: async () => {} };
  // Errors of both streams are thrown where the bytes are read.
  const unzip = pipeline(stream, createGunzip({ chunkSize: chunkBytes }), () => {});
  const reader = new ByteReader(unzip);
  return {
    reader,
    isCompressed,
    async finish() {
      if ((await reader.skip(maxTrailingBytes)) === maxTrailingBytes) throw mostlyEmpty();
    },
  };
}
