import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { python } from '../support/python.ts';
import type { Random } from '../support/random.ts';
import { runJob } from './run-job.ts';

interface Picture {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  /** Media type of the picture that a model is shown. */
  readonly shownAs: string;
  /** SHA-256 of the picture that a model is shown, in hex. */
  readonly shown: string;
}

runJob<Picture>({
  number: 23,
  title: 'look at a PNG picture',
  async prepare(folder, random) {
    await writeFile(path.join(folder, 'chart.png'), bars(random, 640, 360));
  },
  async steps(client) {
    const info = await client.tool('image_info', 'width and height of an image');
    const { format, width, height, bytes } = await info.call<Omit<Picture, 'shown' | 'shownAs'>>({ path: 'chart.png' });
    const read = await client.tool('fs_read_file', 'read a file');
    const { content } = await read.answer({ path: 'chart.png', encoding: 'base64' });
    const image = content.find((part) => part.type === 'image');
    const { data = '', mimeType: shownAs = 'nothing' } = image ?? {};
    return { format, width, height, bytes, shownAs, shown: digest(data) };
  },
  expected: (folder) =>
    python(
      [
        'import hashlib, struct',
        'data = open(given + "/chart.png", "rb").read()',
        'width, height = struct.unpack(">II", data[16:24])',
        'result = {"format": "png", "width": width, "height": height, "bytes": len(data), "shownAs": "image/png",',
        '          "shown": hashlib.sha256(data).hexdigest()}',
      ].join('\n'),
      folder,
    ),
});

/** SHA-256 in hex of bytes in base64. */
function digest(data: string): string {
  return python('import base64, hashlib\nresult = hashlib.sha256(base64.b64decode(given)).hexdigest()', data);
}

/** Columns of random height and colour, as a PNG without an alpha channel. */
function bars(random: Random, width: number, height: number): Buffer {
  const columns = Array.from({ length: 16 }, () => ({
    height: random.between(20, height),
    colour: [random.below(256), random.below(256), random.below(256)],
  }));
  const lines = Array.from({ length: height }, (_, line) => [
    0,
    ...Array.from({ length: width }, (__, at) => {
      const column = columns[Math.floor((at * columns.length) / width)];
      return column !== undefined && height - line <= column.height ? column.colour : [255, 255, 255];
    }).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(lines.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
