import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Colors of pictures of a terminal: dark → light. */
const lightColors: Readonly<Record<string, string>> = {
  '#0d1117': '#f6f8fa',
  '#e6edf3': '#1f2328',
  '#ff7b72': '#cf222e',
  '#7ee787': '#116329',
  '#e3b341': '#7d4e00',
  '#79c0ff': '#0550ae',
  '#d2a8ff': '#8250df',
  '#56d4dd': '#1b7c83',
  '#8b949e': '#59636e',
};

/** Returns a dark SVG picture in the colors of a light page. Throws on a color that has no light one. */
export function lightPicture(svg: string): string {
  return svg.replace(/#[0-9a-f]{6}(?=")/gi, (color) => {
    const light = lightColors[color.toLowerCase()];
    if (light === undefined) throw new Error(`${color} has no light color: name one in plugins/toolkit/docs/site/pictures.ts.`);
    return light;
  });
}

/** The two forms of a picture, which a page shows by its color scheme. */
export interface PictureForms<T> {
  readonly light: T;
  readonly dark: T;
}

/** Returns the addresses of the two forms of a picture in the site. */
export function pictureAddresses(file: string): PictureForms<string> {
  const { dir, name, ext } = path.posix.parse(file);
  const address = (form: string): string => path.posix.join('pictures', dir, `${name}-${form}${ext}`);
  return { light: address('light'), dark: address('dark') };
}

/**
 * Reads the two forms of a picture: a dark SVG, which gets light colors, or a light WebP, which has a dark one beside it, such as `inbox-dark.webp`.
 * `file`: from the folder of package.json on. Throws for any other picture.
 */
export async function pictureForms(root: string, file: string): Promise<PictureForms<string | Uint8Array>> {
  if (file.endsWith('.svg')) {
    const dark = await readFile(path.join(root, file), 'utf8');
    return { light: lightPicture(dark), dark };
  }
  const darkFile = file.replace(/\.webp$/, '-dark.webp');
  if (darkFile === file) throw new Error(`The picture ${file} is no SVG and no WebP, which the site could show in light and dark.`);
  return { light: await readFile(path.join(root, file)), dark: await readFile(path.join(root, darkFile)) };
}
