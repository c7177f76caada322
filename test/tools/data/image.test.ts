import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { sharedDataToolkit } from './shared-data-toolkit.ts';

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A JPEG of 3 × 2 without pixels, with the camera's words in front (TIFF, big endian). */
function jpeg(): Buffer {
  const texts = { 271: 'Maker\0', 272: 'Model 1\0' };
  const entries = [
    ...Object.entries(texts).map(([tag, text]) => ({ tag: Number(tag), type: 2, text })),
    { tag: 0x0112, type: 3, text: '' },
  ];
  const directory = Buffer.alloc(2 + entries.length * 12 + 4);
  directory.writeUInt16BE(entries.length);
  let data = Buffer.alloc(0);
  for (const [index, { tag, type, text }] of entries.entries()) {
    const at = 2 + index * 12;
    directory.writeUInt16BE(tag, at);
    directory.writeUInt16BE(type, at + 2);
    directory.writeUInt32BE(type === 2 ? text.length : 1, at + 4);
    if (type === 3) directory.writeUInt16BE(6, at + 8);
    else {
      directory.writeUInt32BE(8 + directory.length + data.length, at + 8);
      data = Buffer.concat([data, Buffer.from(text, 'latin1')]);
    }
  }
  const tiff = Buffer.concat([Buffer.from('MM\0\x2a\0\0\0\x08', 'latin1'), directory, data]);
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const segment = (marker: number, body: Buffer): Buffer => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(body.length + 2, 2);
    return Buffer.concat([head, body]);
  };
  const frame = Buffer.from([8, 0, 2, 0, 3, 1, 1, 0x11, 0]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), segment(0xe1, exif), segment(0xc0, frame), Buffer.from([0xff, 0xd9])]);
}

describe('image_info', () => {
  const run = sharedDataToolkit();

  async function info(name: string, content: Buffer | string): Promise<Readonly<Record<string, unknown>>> {
    const place = path.join(await temporaryFolder(), name);
    await writeFile(place, content);
    return run('image_info', { path: place });
  }

  it('says format, size and bytes of a picture', async () => {
    const content = png(7, 5);
    expect(await info('a.png', content)).to.deep.equal({ format: 'png', width: 7, height: 5, bytes: content.length });
  });

  it('reads what the camera wrote', async () => {
    const found = await info('a.jpg', jpeg());
    expect(found).to.include({ format: 'jpg', width: 3, height: 2 });
    expect(found['exif']).to.deep.equal({ make: 'Maker', model: 'Model 1', orientation: 6 });
  });

  it('refuses what is no picture', async () => {
    const { message } = await rejection(info('a.png', 'hello'), 'INVALID_PARAMETERS');
    expect(message).to.match(/is no image/);
  });
});
