/** Elements that hold no text of a page. */
export const silentElements: readonly string[] = [
  'script',
  'style',
  'noscript',
  'template',
  'title',
  'svg',
  'canvas',
  'iframe',
  'object',
  'datalist',
];
