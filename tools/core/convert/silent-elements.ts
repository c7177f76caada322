/** Elements whose content is no text of the page. */
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
