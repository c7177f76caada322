import type { TextFinding } from '../finding.ts';
import { passage } from './passage.ts';

const address =
  /(!?\[[^\]\n]{0,200}\]\()?\s{0,3}(?:https?|ftp|wss?):\/\/[^\s"'`()]{1,2000}|<img\s[^<>]{0,300}src\s{0,3}=\s{0,3}["']?https?:[^\s"'<>]{1,2000}/gi;

/** A place in an address that is to be filled. */
const placeholder = /\$?\{{1,2}[^{}\n]{0,80}\}{1,2}|<[a-z_][^<>\n]{0,40}>|\[[a-z_][^[\]\n]{0,40}\]|%7b[^%]{0,40}%7d/i;

/** Names of data that no link needs. */
const data =
  /secret|token|passw|credential|conversation|history|message|prompt|context|contents?\b|\bdata\b|api[_-]?key|env|clipboard|stolen|chat|summary/i;

/** Finds addresses into which a model would write data: images that are loaded when they are shown, queries with a name such as `conversation`. */
export function linksWithData(text: string): readonly TextFinding[] {
  if (!text.includes('://')) return [];
  const found: TextFinding[] = [];
  for (const { 0: link, 1: opening, index } of text.matchAll(address)) {
    const query = link.slice((link.indexOf('?') + 1 || link.length + 1) - 1);
    const hole = placeholder.exec(query);
    if (hole === null) continue;
    const isImage = opening?.startsWith('!') === true || /^<img/i.test(link);
    if (!isImage && !data.test(query)) continue;
    const message = isImage ? 'It has an image whose address takes data along.' : 'It has an address that takes data along.';
    found.push({
      severity: isImage && data.test(query) ? 'hard' : 'warning',
      kind: 'link with data',
      message,
      excerpt: passage(text, index, index + link.length),
    });
    if (found.length >= 2) break;
  }
  return found;
}
