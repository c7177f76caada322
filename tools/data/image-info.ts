import { openInput } from './files/open-input.ts';
import { type Exif, exifOf } from './image/exif.ts';
import type { ToolContext } from './shared/context.ts';
import { excerpt, Failure, withFailures } from './shared/failure.ts';

interface ImageParameters {
  readonly path: string;
}

interface ImageResult {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  /** Sizes of all pictures in a file with several, such as an icon. */
  readonly images?: readonly { readonly width: number; readonly height: number }[];
  readonly exif?: Exif;
}

/** Maximum size of a picture, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/** Reads format, size and camera data of a picture, without decoding it. */
export function imageInfo({ path }: ImageParameters, context: ToolContext): Promise<ImageResult> {
  return withFailures(context, 'Reading the image', async () => {
    const file = await openInput(path);
    try {
      if (file.bytes > maxBytes)
        throw new Failure('INVALID_PARAMETERS', `"${excerpt(path)}" has ${file.bytes} bytes; expected at most ${maxBytes} (64 MB).`);
      const content = await file.handle.readFile();
      const { imageSize } = await import('image-size');
      const size = sizeOf(() => imageSize(content), path);
      const exif = await exifOf(content);
      return {
        format: size.type ?? 'unknown',
        width: size.width,
        height: size.height,
        bytes: file.bytes,
        ...(size.images === undefined || size.images.length < 2
          ? {}
          : { images: size.images.map(({ width, height }) => ({ width, height })) }),
        ...(exif === undefined ? {} : { exif }),
      };
    } finally {
      await file.handle.close();
    }
  });
}

function sizeOf<Size>(read: () => Size, path: string): Size {
  try {
    return read();
  } catch (error) {
    throw new Failure('INVALID_PARAMETERS', `"${excerpt(path)}" is no image that can be read: ${excerpt((error as Error).message, 100)}.`);
  }
}
