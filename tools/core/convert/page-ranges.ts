import { excerpt, ToolkitError } from '../../../kernel/index.ts';

/** Returns the pages that `1-3,7` or `5-` names, from 1, each once and in ascending order. Undefined means all. Throws INVALID_PARAMETERS. */
export function parsePageRanges(ranges: string | undefined, total: number): number[] {
  if (ranges === undefined) return Array.from({ length: total }, (_, index) => index + 1);
  const isWanted = new Array<boolean>(total + 1).fill(false);
  for (const range of ranges.split(',')) {
    const [, first, dash = '', last] = /^\s*(\d+)\s*(?:(-)\s*(\d*))?\s*$/.exec(range) ?? [];
    const from = Number(first);
    const to = dash === '' ? from : last === '' ? total : Number(last);
    if (first === undefined || from < 1 || to < from)
      throw badPages(`expected pages such as 1-3,7 or 5-, received "${excerpt(range, 60)}"`);
    if (from > total) throw badPages(`expected pages from 1 to ${total}, received "${excerpt(range, 60)}"`);
    isWanted.fill(true, from, Math.min(to, total) + 1);
  }
  return isWanted.flatMap((wanted, page) => (wanted ? [page] : []));
}

/** Returns the shortest form of pages in ascending order: `1-3,7`. */
export function formatPageRanges(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last?.[1] === page - 1) last[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

function badPages(message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "pages": ${message}.`, { issues: [{ path: 'pages', message }] });
}
