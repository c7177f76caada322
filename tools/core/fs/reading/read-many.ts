import { messageOf } from '../../../../kernel/index.ts';
import { readText, type TextPart } from './read.ts';

interface ReadManyParameters {
  readonly paths: readonly string[];
  /** Of each file. */
  readonly max_bytes: number;
}

type ReadFile = { readonly path: string } & (TextPart | { readonly error: string });

/** Bytes of all files of one answer. */
const maxTotalBytes = 4_194_304;

/** The beginnings of several text files, each with its content or what is wrong with it. */
export async function readMany({ paths, max_bytes }: ReadManyParameters): Promise<{ files: readonly ReadFile[] }> {
  const files: ReadFile[] = [];
  let left = maxTotalBytes;
  for (const path of paths) {
    const file = await readOne(path, Math.min(max_bytes, left));
    if ('content' in file) left -= Buffer.byteLength(file.content);
    files.push(file);
  }
  return { files };
}

async function readOne(path: string, maxBytes: number): Promise<ReadFile> {
  if (maxBytes <= 0) {
    return { path, error: `Not read: the files before it fill the ${maxTotalBytes} bytes of one answer. Ask for it in another call.` };
  }
  try {
    return { path, ...(await readText(path, maxBytes)) };
  } catch (error) {
    return { path, error: messageOf(error) };
  }
}
