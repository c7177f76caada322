import { Header } from 'tar';
import { ZipFile } from 'yazl';

export interface Member {
  readonly name: string;
  /** @default 'file' */
  readonly kind?: 'file' | 'folder' | 'link' | 'hardlink';
  /** Where a link leads. */
  readonly target?: string;
}

const types = { file: 'File', folder: 'Directory', link: 'SymbolicLink', hardlink: 'Link' } as const;

/** A tar archive, whatever its members are called. Files hold `x`. */
export function tarOf(members: readonly Member[]): Buffer {
  const blocks = members.flatMap(({ name, kind = 'file', target }) => {
    const header = new Header({
      path: name,
      type: types[kind],
      mode: 0o644,
      size: kind === 'file' ? 1 : 0,
      mtime: new Date(0),
      ...(target === undefined ? {} : { linkpath: target }),
    });
    header.encode();
    return [header.block ?? Buffer.alloc(0), ...(kind === 'file' ? [Buffer.alloc(512, 'x\0', 'latin1').fill(0, 1)] : [])];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** A zip file. Files hold `x`. */
export async function zipOf(members: readonly Member[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, kind = 'file', target = '' } of members) {
    if (kind === 'folder') zip.addEmptyDirectory(name);
    else zip.addBuffer(Buffer.from(kind === 'link' ? target : 'x'), name, { mode: kind === 'link' ? 0o120777 : 0o100644 });
  }
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
