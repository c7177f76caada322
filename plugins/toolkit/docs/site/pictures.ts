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

/** Returns the addresses of the two forms of a picture in the site. */
export function pictureAddresses(file: string): { readonly light: string; readonly dark: string } {
  const name = file.replace(/\.svg$/, '');
  return { light: `pictures/${name}-light.svg`, dark: `pictures/${name}-dark.svg` };
}
